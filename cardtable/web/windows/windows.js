/** The windows of a table: rules, settings, help, moves, last trick, looking back, menu, log, the sheet of a deal. */
import { html } from "../browser/html.js";
import { Card } from "../faces/cards.js";
import { Reactions } from "../table/company.js";
import { Chat, Log } from "../table/log.js";
import { DealReview } from "./dealreview.js";
import { Dialog } from "./dialog.js";
import { GlossaryWindow } from "./glossary.js";
import { Help } from "./help.js";
import { LookBack } from "./past.js";
import { Menu } from "./menu.js";
import { Moves } from "./choose.js";
import { RulesWindow } from "./rules.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import { tr } from "../text/message.js";

/**
 * The window that is open, if any.
 * @param {{opened: string, state: any, offers: any[], rule: string, rules: any, code: string, back: any,
 *   review: {sheet: import("../replay/review.js").Reviewed | null, ask: () => void},
 *   lastTrick: import("../hand/moves.js").Zone | null, open: (name: string) => void, openRule: (rule: string) => void,
 *   play: (move: string) => void, send: (type: string, fields?: any) => void}} props
 *   `rule`: where the rules are opened; `rules`: the relevant ones; `back`: the button that looks back
 */
export function OpenWindow(props) {
  const { opened, state, offers, rule, rules, code, back, lastTrick, review, open, openRule, play, send } = props;
  const { table, view, log, past } = state;
  const close = () => open("");
  switch (opened) {
    case "rules":
      return html`<${RulesWindow} now=${rules} game=${table.game} preset=${table.preset} options=${table.options}
        seats=${table.seats.length} rule=${rule} close=${close} />`;
    case "settings":
      return html`<${Settings} close=${close} />`;
    case "glossary":
      return html`<${GlossaryWindow} close=${close} />`;
    case "help":
      return html`<${Help} close=${close} />`;
    case "moves":
      return (
        view &&
        html`<${Moves} offers=${offers} table=${table} close=${close}
          play=${(/** @type {string} */ move) => (close(), play(move))} />`
      );
    case "trick":
      return (
        lastTrick &&
        html`<${Dialog} title=${tr("The last trick")} close=${close}><div class="lasttrick">
          ${lastTrick.cards.map((card, i) => {
            const who = table.names[lastTrick.by?.[i] ?? 0];
            return html`<div key=${i}><${Card} card=${card} still /><span>${who}</span></div>`;
          })}</div><//>`
      );
    case "past":
      return past.length > 1 && html`<${LookBack} past=${past} table=${table} close=${close} />`;
    case "menu":
      return html`<${Menu} table=${table} code=${code} send=${send} close=${close} open=${open} />`;
    case "talk":
      return html`<${Dialog} title=${tr("Log and chat")} close=${close}><p>${back}</p>
        <${Log} lines=${log} names=${table.names} you=${table.you} onRule=${openRule} game=${table.game} />
        <${Chat} table=${table} say=${(/** @type {string} */ text) => send("say", { text })} />
        <${Reactions} table=${table} send=${send} /><//>`;
    case "review":
      return table.may.includes("review") && html`<${DealReview} table=${table} ...${review} close=${close} />`;
    case "sheet":
      return (
        view &&
        (table.stage === "between" || table.stage === "over") &&
        html`<${Sheet} view=${view} table=${table} close=${close} onRule=${openRule}
          ready=${() => (close(), send("ready"))} share=${table.number ? () => open("menu") : null} />`
      );
    default:
      return null;
  }
}
