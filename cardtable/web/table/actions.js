/** What a player is asked, and the buttons to answer with. */
import { html, useState } from "../browser/html.js";
import { aloud, Said, tr, written } from "../text/message.js";
import { shapeOf } from "../faces/cards.js";
import { mark } from "../text/language.js";
import { useWindow } from "../browser/hooks.js";
import { called, inOrder } from "../hand/moves.js";
import { Ending, Leaving } from "./clock.js";

// the most moves in a menu at a card
const MENU = 8;

/** @type {Record<string, string>} */
const CHOICES = { wait: mark("Wait"), bot: mark("Let a bot play"), end: mark("End the match") };

/**
 * What the player to act is asked: the game's own sentence, or what is still to be done with what has been chosen.
 * @param {any} props
 */
export function Asked({ view, table, set, chips, left, chosen, offers, lifted, openRule }) {
  const begun = started({ set, chips, left, chosen, offers, lifted });
  if (begun || !view.prompt) return html`<span>${begun || tr("Choose")}</span>`;
  return html`<span class="prompt"><${Said} message=${view.prompt.ask} names=${table.names} you=${table.you}
    sentence />${view.prompt.rule && html` <${Why} rule=${view.prompt.rule} openRule=${openRule} />`}</span>`;
}

/** The rule behind what a player is asked. @param {{rule: string, openRule: (rule: string) => void}} props */
export const Why = ({ rule, openRule }) =>
  html`<button type="button" class="rule why" onClick=${() => openRule(rule)}
    title=${tr("Rule {rule}", { rule })}>${tr("Why?")}</button>`;

/** What is to be chosen for a card. @param {import("../hand/moves.js").Offer[]} offers */
export const about = (offers) =>
  offers.every((one) => one.suit) ? tr("Choose a suit") : tr("Choose what to do with it");

/** What is still to be done with what has been chosen so far; "": nothing has. @param {any} props */
function started({ set, chips, left, chosen, offers, lifted }) {
  if (set && chosen.length) {
    const counts = { n: chosen.length, most: set.most };
    return set.least < set.most ? tr("{n} chosen, at most {most}", counts) : tr("{n} of {most} chosen", counts);
  }
  if (set) return "";
  if (chips) return left ? tr("{n} {n:chip|chips} left to put down", { n: left }) : "";
  if (chosen.length && offers.some((/** @type {any} */ one) => one.cards?.length > 1))
    return tr("Choose what to do with it, or the cards that it takes");
  if (chosen.length) return offers.length ? about(offers) : tr("Choose the card again to play it");
  return lifted ? tr("Where to? The same card again: the best place") : "";
}

/**
 * Whom the table is waiting for, in one line.
 * @param {import("./scene.js").Table} table @param {{seat: number}[]} waiting
 */
export function idle(table, waiting) {
  if (table.stage === "shuffling") return tr("The cards are being shuffled …");
  if (table.stage !== "playing") return table.stage === "between" ? tr("The deal is over") : tr("The match is over");
  return waiting.length ? written({ says: "{seats} to play", seats: waiting }, { names: table.names }) : "";
}

/** The choices of those present about the seats of players who left. @param {any} props */
export function Absent({ table, send, now }) {
  const gone = table.seats.filter((/** @type {any} */ s) => s.kind === "person" && !s.present && !s.stood_in);
  const lost = table.seats.filter((/** @type {any} */ s) => s.kind === "person" && s.present && s.leaves > 0);
  if (table.you === null || table.stage !== "playing") return null;
  if (!table.may.includes("choose"))
    return lost.map(
      (/** @type {any} */ place) =>
        html`<span class="ask" key=${place.seat}><${Leaving} place=${place} now=${now} /></span>`,
    );
  return gone.map((/** @type {any} */ place) => {
    const others = Object.entries(place.choices)
      .filter(([seat]) => Number(seat) !== table.you)
      .map(([seat, choice]) => `${table.names[Number(seat)]}: ${tr(CHOICES[choice])}`);
    return html`<span class="ask" role="group" aria-label=${tr("The seat of {name}", { name: place.name })}
      key=${place.seat}><span role="alert">${tr(
        "{name} is away. The game waits for them, unless you let a bot play or end the match.",
        {
          name: place.name,
        },
      )}</span>
      ${Object.entries(CHOICES).map(
        ([choice, text]) => html`<button key=${choice} type="button"
        aria-pressed=${place.choices[table.you] === choice} onClick=${() =>
          send("choose", { about: place.seat, choice })}>${tr(text)}</button>`,
      )}
      ${others.length > 0 && html`<small>${others.join(", ")}</small>`}
      ${
        place.ends > 0
          ? html`<${Ending} place=${place} now=${now} />`
          : html`<small
              >${tr("If you end the match, it counts as a resignation by {name}.", { name: place.name })}</small
            >`
      }</span>`;
  });
}

/** A choice of a number, as for a bid. @param {any} props */
function Numbers({ offers, play }) {
  const [at, setAt] = useState(0);
  const one = offers[Math.min(at, offers.length - 1)];
  return html`<span class="number"><button type="button" aria-label=${tr("Less")} disabled=${at <= 0}
    onClick=${() => setAt(Math.max(0, at - 1))}>−</button>
    <select aria-label=${tr("Number")} value=${one.number} onChange=${(/** @type {any} */ e) =>
      setAt(offers.findIndex((/** @type {any} */ each) => String(each.number) === e.target.value))}>
      ${offers.map(
        (/** @type {any} */ each) => html`<option key=${each.number} value=${each.number}>
        ${each.number}</option>`,
      )}</select>
    <button type="button" aria-label=${tr("More")} disabled=${at >= offers.length - 1}
      onClick=${() => setAt(Math.min(offers.length - 1, at + 1))}>+</button>
    <button type="button" data-offer class="primary" onClick=${() => play(one.move)}>
      <${Said} message=${one.label} sentence /></button></span>`;
}

/** A move's label on a button, without the card that has been chosen already. @param {any} props */
function Label({ offer, chosen, table, you, armed }) {
  const label = (chosen.length && offer.cards?.[0] === chosen[0] && offer.then) || offer.label;
  return html`${
    offer.suit &&
    html`<svg class="pip suit-${offer.suit}" viewBox="0 0 20 20" aria-hidden="true">
    <path d=${shapeOf(offer.suit)} /></svg>`
  }<span><${Said} message=${armed ? { says: "really {move}?", move: label } : label}
    names=${table.names} you=${you} sentence /></span>`;
}

/**
 * A move that a person would expect, but that is not allowed: its button can be reached, and says why not.
 * @param {any} props
 */
function Barred({ one, number, table, you, play }) {
  const id = `no-${one.move.text.replace(/\W/g, "-")}`;
  return html`<span class="barred"><button type="button" aria-disabled="true" aria-describedby=${id}
    onClick=${() => play(one.move.text)}>${
      number
        ? one.move.number
        : html`<${Label} offer=${{ label: called(one.move) }} chosen=${[]} table=${table} you=${you} />`
    }</button><span role="tooltip" id=${id}><${Said} message=${one.why} names=${table.names} you=${you} sentence />
    </span></span>`;
}

/**
 * Whether there is room for a button for each move; else they are in a list.
 * @param {import("../hand/moves.js").Offer[]} offers @param {string[]} chosen
 */
export function useRoom(offers, chosen) {
  const { narrow, low, small } = useWindow();
  return offers.length <= (chosen.length ? (small || low ? 3 : 10) : narrow || low ? 3 : 6);
}

/**
 * The moves that are made by a button, and `barred`: expected moves that are illegal; `apart`: in a separate menu.
 * @param {any} props */
export function Offers(props) {
  const { offers: all, barred = [], chosen, whole, table, play, armed, more, drop, you, advised = "", apart } = props;
  const { low } = useWindow();
  const shut = chosen.length ? [] : barred;
  const counted = all.filter((/** @type {any} */ one) => one.number !== undefined);
  const many = counted.length > 12 ? counted : [];
  const offers = many.length ? all.filter((/** @type {any} */ one) => one.number === undefined) : all;
  const numbers =
    offers.length + shut.length > 3 &&
    offers.every((/** @type {any} */ one) => one.number !== undefined) &&
    shut.every((/** @type {any} */ one) => one.move.number !== undefined);
  const refused = (/** @type {boolean} */ before) =>
    shut
      .filter(
        (/** @type {import("../hand/moves.js").Refused} */ { move }) =>
          before === (numbers ? (move.number ?? 0) < offers[0]?.number : inOrder(move, offers.at(-1) ?? {}) < 0),
      )
      .map(
        (/** @type {any} */ one) => html`<${Barred} key=${one.move.text} one=${one} number=${numbers} table=${table}
          you=${you} play=${play} />`,
      );
  const roomy = offers.length <= 3 && !low;
  const few = useRoom(offers, chosen) || numbers || (apart && offers.length <= MENU);
  return html`<span class="offers ${numbers ? "numbers" : ""} ${all.length === 1 ? "one" : ""}">
    ${
      chosen.length > 0 &&
      html`<button type="button" class="quiet" onClick=${drop}>
      ${whole ? tr("Put all back") : tr("Cancel", { context: "button" })}</button>`
    }
    ${refused(true)}
    ${
      few
        ? offers.map(
            (/** @type {any} */ one, /** @type {number} */ i) => html`<button key=${one.move} type="button" data-offer
              data-move=${one.move}
              class=${`${(offers.length <= 2 && !many.length) || chosen.length ? "primary" : ""} ${
                advised && one.move === advised ? "advised" : ""
              }`}
              aria-label=${numbers ? aloud(one.label, {}, true) : undefined} onClick=${() => play(one.move)}
              aria-describedby=${one.does ? `does-${i}` : undefined}>
          ${
            numbers
              ? one.number
              : html`<${Label} offer=${one} chosen=${chosen} armed=${armed === one.move}
            table=${table} you=${you} />`
          }${
            offers.length > 1 &&
            i < 9 &&
            !numbers &&
            html`<kbd aria-hidden="true">
            ${i + 1}</kbd>`
          }${
            one.does &&
            html`<small id=${`does-${i}`} class=${roomy ? "" : "sr"} aria-hidden="true"><${Said} message=${one.does}
            names=${table.names} you=${you} sentence /></small>`
          }</button>`,
          )
        : html`<button type="button" data-more onClick=${more}>${tr("All {n} moves", { n: offers.length })}</button>`
    }
    ${refused(false)}
    ${many.length > 0 && html`<${Numbers} key=${many[0].move} offers=${many} play=${play} />`}
  </span>`;
}
