/** The table as plain text: for screen readers, slow connections, and people who prefer it. */
import { html, useState } from "../browser/html.js";
import { summed } from "../text/events.js";
import { refusal, Said, spoken, tr, written } from "../text/message.js";
import { called, offered, spreadIn, togetherIn } from "../hand/moves.js";
import { Log } from "./log.js";
import { Voice } from "./voice.js";
import { outcome, reasons, sum } from "./result.js";

/** A zone as a line. @param {{zone: import("../hand/moves.js").Zone, table: any}} props */
function Line({ zone, table }) {
  const open = zone.cards.filter(Boolean);
  const down = zone.kind === "column" ? zone.count - open.length : 0;
  const label = zone.seats.length
    ? { says: "{label} ({seats})", label: zone.label, seats: zone.seats.map((seat) => ({ seat })) }
    : zone.label;
  const counts = ["hand", "stock"].includes(zone.kind) || (zone.kind === "pile" && !zone.won);
  const parts = [
    ...(down ? [{ says: "{n} face down", n: down }] : []),
    ...(open.length ? [{ cards: open.join(" ") }] : counts ? [{ says: "{n} {n:card|cards}", n: zone.count }] : []),
    ...zone.facts.map((fact) => fact.message),
  ];
  const said = parts.length ? parts : zone.kind === "score" ? [zone.count] : [{ says: "empty" }];
  return html`<${Said} message=${label} names=${table.names} you=${table.you}
    sentence />: ${said.map(
      (part, i) => html`${i > 0 && ", "}<${Said} message=${part} names=${table.names}
    you=${table.you} />`,
    )}`;
}

/** A move of many parts: cards to tick, or chips to put on zones, and one button. @param {any} props */
function Parts({ view, play }) {
  const set = togetherIn(view);
  const spread = spreadIn(view);
  const [ticked, setTicked] = useState(/** @type {number[]} */ ([]));
  const [chips, setChips] = useState(spread?.start ?? []);
  const asked = (set ?? spread)?.ask;
  const [offer] = offered(view, set ? ticked.map((i) => set.cards[i]) : [], chips);
  const label = (/** @type {string} */ name) =>
    view.zones
      .find((/** @type {any} */ zone) => zone.name === name)
      ?.on.map(spoken)
      .join(", ");
  return html`<fieldset><legend>${asked && html`<${Said} message=${asked} sentence />`}</legend>
    ${set?.cards.map(
      (card, i) => html`<label key=${i}><input type="checkbox" checked=${ticked.includes(i)}
      onChange=${() =>
        setTicked(ticked.includes(i) ? ticked.filter((one) => one !== i) : [...ticked, i])} /> ${spoken(card)}</label>`,
    )}
    ${spread?.on.map(
      (name, i) => html`<label key=${name}>${label(name)} <input type="number" min="0"
      max=${spread.chips} value=${chips[i]} onInput=${(/** @type {any} */ e) =>
        setChips(chips.map((n, at) => (at === i ? Number(e.target.value) : n)))} /></label>`,
    )}
    <button type="button" class="primary" disabled=${!offer} onClick=${() => play(offer.move)}>
      ${(offer || asked) && html`<${Said} message=${offer?.label ?? asked} sentence />`}</button></fieldset>`;
}

/** What was refused, or whose turn it is, or how the deal ended. @param {any} props */
function Now({ view, table, refused }) {
  const said = (/** @type {import("../text/message.js").Value} */ message) =>
    html`<${Said} message=${message} names=${table.names} you=${table.you} sentence />`;
  if (refused) return said(refusal(refused));
  if (view.legal.length) return html`${tr("Your turn.")} ${view.prompt && said(view.prompt.ask)}`;
  if (!view.actors.length) return `${outcome(view, table)}.`;
  const seats = view.actors.map((/** @type {number} */ seat) => ({ seat }));
  return written({ says: "{seats} to play.", seats }, { names: table.names });
}

/** The legal moves, and expected moves that are illegal. @param {any} props */
function Moves({ view, table, play }) {
  return html`<h2>${tr("You may")}</h2>
      <ul class="movelist">${view.choices.map(
        (/** @type {import("../hand/moves.js").Move} */ move) =>
          html`<li key=${move.text}><button type="button" onClick=${() => play(move.text)} >
      <${Said} message=${called(move)} sentence /></button>${
        move.does &&
        html` <${Said} message=${move.does} names=${table.names} you=${table.you}
      sentence />`
      }</li>`,
      )}${view.refused.map(
        (
          /** @type {import("../hand/moves.js").Refused} */ one,
        ) => html`<li key=${one.move.text}><button type="button" disabled>
        <${Said} message=${called(one.move)} sentence /></button> <${Said} message=${one.why} names=${table.names}
        you=${table.you} sentence /></li>`,
      )}</ul>`;
}

/** A move in notation. @param {{play: (move: string) => void}} props */
function Typed({ play }) {
  const [typed, setTyped] = useState("");
  const enter = (/** @type {Event} */ e) => {
    e.preventDefault();
    const move = typed.trim();
    if (!move) return;
    play(/^(?:10|[2-9atjqk])[shdc]$/i.test(move) ? move.replace("10", "T").toUpperCase() : move);
    setTyped("");
  };
  return html`<form onSubmit=${enter}><label class="field">
      ${tr("Move")} <input value=${typed} onInput=${(/** @type {any} */ e) => setTyped(e.target.value)}
      autocomplete="off" /></label> <button type="submit">${tr("Play", { context: "button" })}</button></form>`;
}

/** Buttons that are no moves, and what they are answered. @param {any} props */
function Tools({ table, send, advice, hint, foreseen, outlook, winnable, leave }) {
  const may = (/** @type {string} */ what) => table.may.includes(what);
  return html`<p>${
    may("ready") &&
    html`<button type="button" class="primary" onClick=${() => send("ready")}>
      ${tr("Go on")}</button>`
  } ${
    may("hint") &&
    html`<button type="button" onClick=${hint}>
      ${tr("Hint")}</button>`
  } ${
    advice &&
    html`<span role="status">
      <${Said} message=${advice.says} you=${table.you} sentence /></span>`
  } ${
    may("outlook") &&
    html`<button type="button" onClick=${outlook}>
      ${tr("Any useful move left?")}</button>`
  } ${
    may("winnable") &&
    html`<button type="button" onClick=${winnable}
      title=${tr("This looks at the hidden cards, and counts as a hint.")}>${tr("Still winnable?")}</button>`
  } ${
    foreseen &&
    html`<span role="status"><${Said} message=${foreseen.says} names=${table.names} you=${table.you} /></span>`
  } ${
    may("undo") &&
    html`<button type="button" onClick=${() => send("undo")}>
      ${tr("Undo", { context: "button" })}</button>`
  } <button type="button" onClick=${leave}>${tr("Draw the table")}</button></p>`;
}

/** What was paid and scored in the deal. @param {any} props */
function Paid({ view, table }) {
  const last = view.results.at(-1);
  return html`<h2>${tr("Paid and scored")}</h2><ul>
      ${summed(view.sheet).map(
        (line, i) => html`<li key=${i}>
      <${Said} message=${line.message} names=${table.names} you=${table.you} sentence />
      ${line.parts && `(${line.parts})`} ${line.rule}</li>`,
      )}</ul><ul>
      ${table.names.map(
        (/** @type {string} */ name, /** @type {number} */ seat) => html`<li key=${seat}>
      ${name}: ${last.deal === view.deal ? `${sum(last, seat)} = ` : ""}${view.scores[seat]}${
        view.counted.length ? ` (${reasons(view.counted, seat) || tr("nothing")})` : ""
      }</li>`,
      )}</ul>`;
}

/** @param {any} props */
export function PlainTable({ lines, all, refused, ...rest }) {
  const { view, table, play } = rest;
  const parts = togetherIn(view) || spreadIn(view);
  return html`<main class="page plaintable" id="main">
    <h1>${tr("{game}, deal {n}", { game: { says: table.title }, n: view.deal })}</h1>
    <${Voice} lines=${lines} all=${all} names=${table.names} you=${table.you} />
    <p aria-live="assertive"><${Now} view=${view} table=${table} refused=${refused} /></p>
    <ul>${view.zones
      .filter((/** @type {any} */ zone) => zone.kind !== "action")
      .map((/** @type {any} */ zone) => html`<li key=${zone.name}><${Line} zone=${zone} table=${table} /></li>`)}</ul>
    ${parts && html`<${Parts} key=${view.legal.join()} view=${view} play=${play} />`}
    ${view.legal.length > 0 && !parts && html`<${Moves} view=${view} table=${table} play=${play} />`}
    ${table.may.includes("move") && html`<${Typed} play=${play} />`}
    <${Tools} ...${rest} />
    ${!view.legal.length && view.results.length > 0 && html`<${Paid} view=${view} table=${table} />`}
    <h2>${tr("Log")}</h2><${Log} lines=${lines} names=${table.names} you=${table.you}
      onRule=${() => undefined} game=${table.game} />
  </main>`;
}
