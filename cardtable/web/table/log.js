/** What happened, as sentences; and the chat. */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { choices, choose } from "../browser/store.js";
import { kindOf } from "../motion/beats.js";
import { joined, message } from "../text/events.js";
import { mark } from "../text/language.js";
import { Said, tr } from "../text/message.js";
import { Report } from "../net/share.js";
import { useTerms } from "../net/terms.js";
import { unnamed } from "../text/unnamed.js";

/**
 * @typedef {{number: number, message: import("../text/message.js").Value, kind: string, deal?: number, rule?: string,
 * event?: import("../text/events.js").GameEvent, chose?: number | null}} Line `event`: of the game, not of the
 * table; `chose`: whose move it is, if not forced
 */

/** What happened at the table. @type {Record<string, string>} */
const SAYS = {
  sat: mark("{name} sits down"),
  "bot-sat": mark("A bot takes a seat"),
  shuffling: mark("The cards are shuffled"),
  withheld: mark("{by} did not finish the shuffle in time, and a bot takes the seat"),
  returning: mark("{by} plays again from the next match on"),
  hosted: mark("{name} is the host now"),
  started: mark("The match begins"),
  "undo-asked": mark("{source} {source:asks|ask} to take a move back"),
  undone: mark("The last move is taken back"),
  left: mark("{name} gets up"),
  removed: mark("The operator has removed {name} from the table"),
  gone: mark("The connection to {name} is lost"),
  returned: mark("{name} is back"),
  chosen: mark("{name} chooses: {by}"),
  "stood-in": mark("A bot plays for {name}"),
  resumed: mark("The clock runs again"),
  "more-time": mark("{name} takes more time"),
  resigned: mark("{name} gives up the match"),
  ended: mark("The match ends"),
  renamed: mark("{by} is now called {name}"),
  closed: mark("The table is closed"),
  rematch: mark("Another match"),
};

/** Why somebody left. @type {Record<string, string>} */
const LEFT = { gone: "gone", operator: "removed" };

/** Answers to a wish to take back. @type {Record<string, string>} */
const ANSWERS = {
  yes: mark("{source} {source:agrees|agree}"),
  no: mark("{source} {source:does|do} not agree: the move stands"),
  withdrawn: mark("{source} no longer {source:wants|want} to take the move back"),
};

/** An answer or a choice. @type {Record<string, string>} */
const BY = {
  wait: mark("wait", { context: "answer" }),
  bot: mark("let a bot play", { context: "answer" }),
  end: mark("end the match", { context: "answer" }),
};

// the most that the list shows
const LINES = 200;
// the kind of lines that only a screen reader says: the list shows cards otherwise
export const SEEN = "seen";
// what a player does: by the rules, if there is no choice
const ACTS = ["draw", "play", "pass"];
// kinds of events that are shown without their rule
const UNCITED = ["lay", "deal"];

/**
 * Add what another player says, for the screen reader; the list of happenings leaves it out.
 * @param {any} one
 * @param {import("./scene.js").Table} table
 * @param {Line[]} found
 */
function said(one, table, found) {
  const line = [...table.chat].reverse().find((each) => each.at === one.at && each.seat === one.seat);
  if (line && one.seat !== table.you)
    found.push({
      number: one.number,
      kind: "said",
      message: { says: "{name}: {text}", name: table.names[one.seat], text: line.text },
    });
}

/**
 * Cards that no event names, as lines.
 * @param {any} before @param {any} now @param {any[]} happened
 * @returns {Line[]}
 */
export const seen = (before, now, happened) =>
  unnamed(before, now, happened).map((message) => ({ number: happened.at(-1)?.number ?? 0, kind: SEEN, message }));

/** Kinds of lines that are captions, too: they concern all players, and no card moves. */
const ANNOUNCED = ["undo-answered", "undone", "gone", "left", "returned", "chosen", "stood-in", "resumed", "resigned"];

/** What is announced of lines. @param {Line[]} told */
export const announced = (told) => told.filter(({ kind }) => ANNOUNCED.includes(kind)).map(({ message }) => message);

/** Happenings as lines. @param {any[]} happened @param {import("./scene.js").Table} table @returns {Line[]} */
export function lines(happened, table) {
  /** @type {Line[]} */
  const found = [];
  for (const one of happened) {
    const says = SAYS[(one.kind === "left" && LEFT[one.by]) || one.kind] || ANSWERS[one.by];
    const name = table.seats[one.seat ?? -1]?.name || { says: "somebody" };
    const shown = says && !(one.kind === "resumed" && table.clock === "none" && !table.window);
    const line = shown && {
      number: one.number,
      kind: one.kind,
      message: {
        says,
        name,
        source: { seat: one.seat ?? -1 },
        by: ["withheld", "returning", "renamed"].includes(one.kind)
          ? one.by
          : { says: BY[one.by] ?? "", context: "answer" },
      },
    };
    const opens = one.kind === "started" || one.kind === "rematch";
    if (line && opens) found.push(line);
    for (const event of one.events ?? [])
      found.push({
        number: one.number,
        message:
          one.by === "rules" && !event.reason && ACTS.includes(kindOf(event))
            ? { says: FORCED, told: event.says }
            : message(event),
        kind: event.kind,
        deal: event.deal,
        rule: !UNCITED.includes(event.kind) ? event.rule : "",
        event,
        chose: one.by === "rules" ? null : one.seat,
      });
    if (one.kind === "said") said(one, table, found);
    if (line && !opens) found.push(line);
    if (opens && table.played_on)
      found.push({ number: one.number, kind: "resumed", message: { says: "The match continues from here" } });
  }
  return found;
}

const FORCED = mark("{told} (no other move)");
// what is joined with nothing
const ALONE = /** @type {any} */ ({ source: null });

/** Lines that follow one another and belong together are one (`joined`). @param {Line[]} all @returns {Line[]} */
export function gathered(all) {
  const plain = all.map(({ event, message: told }) =>
    event && /** @type {any} */ (told).says !== FORCED ? event : ALONE,
  );
  return joined(plain).map(({ event, at }) => (event.origin ? { ...all[at], message: message(event) } : all[at]));
}

/**
 * @param {{lines: Line[], names: string[], you: number | null, onRule: (rule: string) => void, game: string}} props
 */
export function Log({ lines: all, names, you, onRule, game }) {
  const words = useTerms(game);
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const el = /** @type {HTMLElement} */ (list.current);
    // it has its height when the window around it opens, and less when the rules above it say more
    const watching = new ResizeObserver(() => el.scrollTo(0, el.scrollHeight));
    watching.observe(el);
    return () => watching.disconnect();
  }, [all.length]);
  return html`<div class="log" ref=${list} role="region" aria-label=${tr("What happened")} tabindex="0"><ol>
    ${gathered(all.filter((line) => line.kind !== "said" && line.kind !== SEEN).slice(-LINES)).map(
      (line, i, shown) => html`<li key=${all.length - shown.length + i} class=${`k-${line.kind}`}>
      <${Said} message=${line.message} names=${names} you=${you} sentence words=${words} />
      ${
        line.rule &&
        html` <button type="button" class="rule" onClick=${() => onRule(line.rule ?? "")}
        aria-label=${tr("rule {rule}", { rule: line.rule })}>${line.rule}</button>`
      }
    </li>`,
    )}
  </ol></div>`;
}

/** Whether somebody else has said something that this browser has not shown. @param {any} table */
const unread = ({ chat, you }) => chat.some((/** @type {any} */ line) => line.seat !== you && line.at > choices().read);

/** Opens the chat; a dot shows that there is something new. @param {{table: any, click: () => void}} props */
export const ChatButton = ({ table, click }) =>
  html`<button type="button" class="quiet chatter" onClick=${click}>${tr("Chat")}${
    unread(table) && html`<i class="dot"></i><span class="sr">${tr("something new")}</span>`
  }</button>`;

/** @param {{table: any, say: (text: string) => void, focus?: boolean}} props `focus`: one types at once */
export function Chat({ table, say, focus = false }) {
  const [text, setText] = useState("");
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const last = table.chat.at(-1)?.at;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
    if (unread(table)) choose({ read: last });
  }, [last]);
  const send = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!text.trim()) return;
    say(text.trim());
    setText("");
  };
  return html`<section class="chat" aria-label=${tr("Chat")}>
    <ol tabindex="0" ref=${list} aria-label=${tr("Messages")}>${table.chat.map(
      (/** @type {any} */ line, /** @type {number} */ i) =>
        html`<li key=${i}><b>${table.names[line.seat]}</b> <bdi translate=${false}>${line.text}</bdi>${
          line.seat !== table.you &&
          html` <${Report} key=${line.at} table=${table.id} what=${{ seat: line.seat, at: line.at }}
            label=${tr("Report this line to the operator")} />`
        }</li>`,
    )}
      ${!table.chat.length && html`<li class="empty">${tr("Nobody has said anything yet.")}</li>`}</ol>
    ${
      table.may.includes("say") &&
      html`<form onSubmit=${send}><input type="text" maxlength="240" aria-label=${tr("Type a message")}
        placeholder=${tr("Type a message")} value=${text} autofocus=${focus}
      onInput=${(/** @type {any} */ e) => setText(e.target.value)} />
      <button type="submit">${tr("Send")}</button></form>`
    }
  </section>`;
}
