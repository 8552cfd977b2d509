/** The table as plain text: for screen readers, slow lines, and whoever likes it so. */
import { html, useState } from "./html.js";
import { named, short, spoken, Told } from "./cards.js";
import { summed } from "./events.js";
import { refusal, Said } from "./message.js";
import { offered, plainly, spreadIn, togetherIn } from "./moves.js";
import { reasons, sum } from "./sheet.js";
import { Log } from "./log.js";
import { Voice } from "./voice.js";

/** A zone as a line. @param {any} zone @param {any} table */
function told(zone, table) {
  const open = zone.cards.filter(Boolean);
  const label = named(zone.label, table.names, table.you);
  const notes = Object.entries(zone.notes).filter(([key]) => ["chips", "markers", "tricks", "bid", "lacks", "has"].includes(key)).map(([key, value]) => `${key} ${value}`);
  const what = open.length ? `${zone.kind === "column" && open.length < zone.count ? `${zone.count - open.length} face down, ` : ""}${open.map(short).join(" ")}` : zone.text ? named(zone.text, table.names, table.you) : zone.kind === "row" ? "empty" : `${zone.count} cards`;
  return `${label}: ${what}${notes.length && !zone.text ? ` (${notes.join(", ")})` : ""}`;
}

/** A move of many parts: cards to be ticked, or chips to be put on zones, and one button. @param {any} props */
function Parts({ view, play }) {
  const set = togetherIn(view);
  const spread = spreadIn(view);
  const [ticked, setTicked] = useState(/** @type {number[]} */ ([]));
  const [chips, setChips] = useState(spread?.start ?? []);
  const [offer] = offered(view, set ? ticked.map((i) => set.cards[i]) : [], chips);
  const label = (/** @type {string} */ name) => view.zones.find((/** @type {any} */ zone) => zone.name === name)?.label.split(" ").map(spoken).join(", ");
  return html`<fieldset><legend>${(set ?? spread)?.ask}</legend>
    ${set?.cards.map((card, i) => html`<label key=${i}><input type="checkbox" checked=${ticked.includes(i)} onChange=${() => setTicked(ticked.includes(i) ? ticked.filter((one) => one !== i) : [...ticked, i])} /> ${spoken(card)}</label>`)}
    ${spread?.on.map((name, i) => html`<label key=${name}>${label(name)} <input type="number" min="0" max=${spread.chips} value=${chips[i]} onInput=${(/** @type {any} */ e) => setChips(chips.map((n, at) => (at === i ? Number(e.target.value) : n)))} /></label>`)}
    <button type="button" class="primary" disabled=${!offer} onClick=${() => play(offer.move)}>${offer?.label ?? (set ?? spread)?.ask}</button></fieldset>`;
}

/** @param {any} props */
export function PlainTable({ view, table, lines, play, send, refused, advice, hint, leave, all }) {
  const [typed, setTyped] = useState("");
  const last = view.results.at(-1);
  const enter = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!typed.trim()) return;
    play(/^(?:10|[2-9atjqk])[shdc]$/i.test(typed.trim()) ? typed.trim().replace("10", "T").toUpperCase() : typed.trim());
    setTyped("");
  };
  return html`<main class="page plaintable" id="main">
    <h1>${table.title}, deal ${view.deal}</h1>
    <${Voice} lines=${lines} all=${all} names=${table.names} you=${table.you} />
    <p aria-live="assertive">${refused ? html`<${Said} message=${refusal(refused)} names=${table.names} you=${table.you} sentence />` : view.legal.length ? "Your turn." : view.actors.length ? `${view.actors.map((/** @type {number} */ s) => table.names[s]).join(", ")} to play.` : "The deal is over."}</p>
    <ul>${view.zones.filter((/** @type {any} */ zone) => zone.kind !== "action").map((/** @type {any} */ zone) => html`<li key=${zone.name}>${told(zone, table)}</li>`)}</ul>
    ${(togetherIn(view) || spreadIn(view)) && html`<${Parts} key=${view.legal.join()} view=${view} play=${play} />`}
    ${view.legal.length > 0 && !togetherIn(view) && !spreadIn(view) && html`<h2>You may</h2><ul class="movelist">${view.legal.map((/** @type {string} */ move) => html`<li key=${move}><button type="button" onClick=${() => play(move)} ><${Told} text=${plainly(move)} names=${table.names} you=${table.you} /></button></li>`)}</ul>`}
    ${table.may.includes("move") && html`<form onSubmit=${enter}><label class="field">Move <input value=${typed} onInput=${(/** @type {any} */ e) => setTyped(e.target.value)} autocomplete="off" /></label> <button type="submit">Play</button></form>`}
    <p>${table.may.includes("ready") && html`<button type="button" class="primary" onClick=${() => send("ready")}>Go on</button>`} ${table.may.includes("hint") && html`<button type="button" onClick=${hint}>Hint</button>`} ${advice && html`<span role="status">Hint: <${Told} text=${plainly(advice.move)} names=${table.names} you=${table.you} /></span>`} ${table.may.includes("undo") && html`<button type="button" onClick=${() => send("undo")}>Undo</button>`} <button type="button" onClick=${leave}>Draw the table</button></p>
    ${!view.legal.length && view.results.length > 0 && html`<h2>Paid and scored</h2><ul>${summed(view.sheet).map((line, i) => html`<li key=${i}><${Said} message=${line.message} names=${table.names} you=${table.you} sentence />${line.times > 1 ? ` (${line.times} times)` : ""} ${line.rule}</li>`)}</ul><ul>${table.names.map((/** @type {string} */ name, /** @type {number} */ seat) => html`<li key=${seat}>${name}: ${last.deal === view.deal ? `${sum(last, seat)} = ` : ""}${view.scores[seat]}${view.counted.length ? ` (${reasons(view.counted, seat) || "nothing"})` : ""}</li>`)}</ul>`}
    <h2>Log</h2><${Log} lines=${lines} names=${table.names} you=${table.you} onRule=${() => undefined} />
  </main>`;
}
