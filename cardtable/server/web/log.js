/** What happened, as sentences; and the chat. */
import { html, useEffect, useRef, useState } from "./html.js";
import { isolated, Told } from "./cards.js";

/** @typedef {{number: number, text: string, kind: string, deal?: number, game?: boolean, amount?: number | null, rule?: string}} Line `game`: it is of the game, not of the table */

const SAYS = {
  sat: "{name} sits down", "bot-sat": "A bot takes a seat", started: "The match begins", "undo-asked": "{name} asks to take a move back", "undo-answered": "{name} answers: {by}",
  undone: "The last move is taken back", left: "{name} gets up", gone: "The connection to {name} is lost", returned: "{name} is back", chosen: "{name} chooses: {by}", "stood-in": "A bot plays for {name}",
  resumed: "The clock runs again", "more-time": "{name} takes more time", resigned: "{name} gives the match up", ended: "The match ends", closed: "The table is closed", rematch: "Another match",
};

/** What somebody says is heard, but has a list of its own. @param {any} one @param {any} table @param {Line[]} found */
function said(one, table, found) {
  const line = [...table.chat].reverse().find((each) => each.at === one.at && each.seat === one.seat);
  if (line && one.seat !== table.you) found.push({ number: one.number, kind: "said", text: isolated(`${table.names[one.seat]}: ${line.text}`) });
}

/** Happenings as lines. @param {any[]} happened @param {any} table @returns {Line[]} */
export function lines(happened, table) {
  /** @type {Line[]} */
  const found = [];
  for (const one of happened) {
    const says = SAYS[/** @type {keyof typeof SAYS} */ (one.kind === "left" && one.by === "gone" ? "gone" : one.kind)];
    const name = one.seat === null || one.seat === undefined ? "Somebody" : table.seats[one.seat]?.name || "Somebody";
    const line = says && { number: one.number, kind: one.kind, text: says.replace("{name}", () => isolated(name)).replace("{by}", one.by ?? "") };
    const opens = one.kind === "started" || one.kind === "rematch";
    if (line && opens) found.push(line);
    for (const event of one.events ?? []) found.push({ number: one.number, text: event.text, kind: event.kind, deal: event.deal, game: true, amount: event.amount, rule: event.rule });
    if (one.kind === "said") said(one, table, found);
    if (line && !opens) found.push(line);
    if (opens && table.played_on) found.push({ number: one.number, kind: "resumed", text: "From here it is played on" });
  }
  return found;
}

/** @param {{lines: Line[], onRule: (rule: string) => void}} props */
export function Log({ lines: all, onRule }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [all.length]);
  return html`<div class="log" ref=${list} role="region" aria-label="What happened" tabindex="0"><ol>
    ${all.filter((line) => line.kind !== "said").slice(-200).map((line, i, shown) => {
      const rule = line.text.match(/ \(([A-Z]{2}-[QES]?\d+)\)$/);
      return html`<li key=${all.length - shown.length + i} class=${`k-${line.kind}`}>
        <${Told} text=${rule ? line.text.slice(0, rule.index) : line.text} />
        ${rule && html` <button type="button" class="rule" onClick=${() => onRule(rule[1])} aria-label=${`rule ${rule[1]}`}>${rule[1]}</button>`}
      </li>`;
    })}
  </ol></div>`;
}

/** @param {{table: any, say: (text: string) => void}} props */
export function Chat({ table, say }) {
  const [text, setText] = useState("");
  const send = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!text.trim()) return;
    say(text.trim());
    setText("");
  };
  return html`<section class="chat" aria-label="Chat">
    <ol tabindex="0" aria-label="Messages">${table.chat.map((/** @type {any} */ line, /** @type {number} */ i) => html`<li key=${i}><b>${table.names[line.seat]}</b> ${line.text}</li>`)}
      ${!table.chat.length && html`<li class="empty">Nobody has said anything yet.</li>`}</ol>
    ${table.may.includes("say") && html`<form onSubmit=${send}><input type="text" maxlength="240" aria-label="Say something" placeholder="Say something" value=${text}
      onInput=${(/** @type {any} */ e) => setText(e.target.value)} /><button type="submit">Say</button></form>`}
  </section>`;
}
