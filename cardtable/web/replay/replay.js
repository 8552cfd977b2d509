/** A finished match, step by step. */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { useActed } from "./acted.js";
import { get } from "../net/api.js";
import { useChoices } from "../browser/hooks.js";
import { useFaces } from "../faces/cards.js";
import { useFrames } from "./frames.js";
import { message } from "../text/events.js";
import { code } from "../text/language.js";
import { Said, tr } from "../text/message.js";
import { playerName } from "../text/names.js";
import { Laid } from "./laid.js";
import { before, counter, placeIn, usePlace } from "./place.js";
import { measureOf, Review, Steps, tryAgain, useFound, Verdict } from "./review.js";
import { Problem, useAsked } from "../net/asked.js";

/** The player's own seat; null: they were not there. @param {any} match @returns {number | null} */
const own = (match) => match.players.find((/** @type {any} */ p) => p.you)?.seat ?? null;

/** The names of the players; equal ones get a number. @param {any[]} players @returns {string[]} */
const namesOf = (players) =>
  players.map((one, i) =>
    one.you
      ? tr("You")
      : one.level || !one.name || players.filter((other) => other.name === one.name).length === 1
        ? playerName(one)
        : `${playerName(one)} ${i + 1}`,
  );

/**
 * Whose cards are seen, and whose decisions are reviewed: `reviewed`, by what they knew (`known`) or by all cards.
 * @param {any} match
 */
function useJudged(match) {
  const [seat, setSeat] = useState(-1);
  const [reviewed, setReviewed] = useState(/** @type {number | null} */ (null));
  const [known, setKnown] = useState(true);
  const [placed, setPlaced] = useState(false); // what the address says has been done
  const judge = (/** @type {number | null} */ whose, only = known) => {
    const reviewing = whose !== null && whose < 0 ? (own(match) ?? 0) : whose;
    setReviewed(reviewing);
    setKnown(only);
    setSeat(reviewing !== null && only ? reviewing : -1);
  };
  useEffect(() => {
    if (!match) return;
    judge(placeIn(location.search).seat);
    setPlaced(true);
  }, [match]);
  return { seat, setSeat, reviewed, known, judge, placed };
}

/** What to look at, and how to go there. @param {any} props `again`: a button that plays on from here */
function Controls({ told, names, deal, setDeal, judged, steps, again }) {
  const { seat, setSeat, reviewed, judge } = judged;
  const { at, last, go } = steps;
  const number = counter(last, at, reviewed !== null);
  return html`<div class="controls" role="toolbar" aria-label=${tr("Replay")}>
${
  told.deals > 1 &&
  html`<label>${tr("Deal number", { context: "setting" })} <select value=${deal}
        onChange=${(/** @type {any} */ e) => setDeal(Number(e.target.value))}>${Array.from(
          { length: told.deals },
          (_, i) => html`<option key=${i} value=${i + 1}>${i + 1}</option>`,
        )}</select></label>`
}
      ${
        reviewed === null &&
        html`<label>${tr("Seen by")} <select value=${seat}
        onChange=${(/** @type {any} */ e) => setSeat(Number(e.target.value))}><option value="-1">
        ${tr("everybody's cards")}</option>${names.map(
          (/** @type {string} */ name, /** @type {number} */ i) => html`<option key=${i} value=${i}>${name}</option>`,
        )}</select></label>`
      }
      <span class="stepping"><button type="button" aria-label=${tr("To the start")} onClick=${() => go(0)}>«</button>
        <button type="button" aria-label=${tr("One move back")} onClick=${steps.back}>◀</button>
      <input type="range" aria-label=${tr("Move")} min="0" max=${last} value=${at}
        onInput=${(/** @type {any} */ e) => go(Number(e.target.value))} /><output>${number}</output>
      <button type="button" aria-label=${tr("One move on")} onClick=${steps.on}>▶</button>
        <button type="button" aria-label=${tr("To the end")} onClick=${() => go(last)}>»</button></span>
      <button type="button" aria-pressed=${reviewed !== null} class=${reviewed === null ? "primary" : ""}
        onClick=${() => (reviewed === null ? (steps.review(), judge(seat)) : judge(null))}>
        ${reviewed === null ? tr("Review") : tr("Close the review")}</button>
      ${reviewed === null && again}
    </div>`;
}

/** What was done, and what it was worth. @param {any} props `decision`: what is known of it, if it is reviewed */
function Moved({ frame, decision, names, you, measure }) {
  if (decision) return html`<${Verdict} decision=${decision} names=${names} you=${you} measure=${measure} />`;
  if (!frame?.move) return tr("The deal begins.");
  const done = {
    says: "{player}: {move}",
    player: { shown: () => html`<b>${names[frame.seat ?? 0] ?? ""}</b>` },
    move: frame.label ?? { moves: frame.move },
  };
  return html`<${Said} message=${frame.forced ? { says: "{told} (no other move)", told: done } : done}
      names=${names} />`;
}

/** What has just happened. @param {any} props */
const Events = ({ frame, shown, names, you }) =>
  html`<ul class="events">${frame.events.map(
    (/** @type {any} */ event, /** @type {number} */ i) =>
      html`<li key=${i} class=${shown.beat?.events.includes(event) ? "now" : ""}
      ><${Said} message=${message(event)} names=${names} you=${you} sentence /></li>`,
  )}</ul>`;

/**
 * The move from which somebody would play on, and the seat that makes it; null: there is none. In a review, it is the
 * decision that is shown, or the next one, or the last.
 * @param {any} frames @param {import("./review.js").Reviewed | null} review @param {number | null} reviewed
 * @param {{at: number}} steps
 */
function nextOf({ next, late }, review, reviewed, { at }) {
  if (late) return null;
  if (reviewed === null) return next && !next.forced ? { seat: next.seat, number: at + 1 } : null;
  const all = review?.decisions ?? [];
  return all.find((one) => before(one) >= at) ?? all.at(-1) ?? null;
}

/** @param {{id: string}} props its address may name a `deal` and a `move` in it, before which the replay opens */
export function Replay({ id }) {
  const [match, error] = useAsked(() => get(`/api/matches/${id}`), [id]);
  const [deal, setDeal] = useState(placeIn(location.search).deal);
  const [step, setStep] = useState(0);
  const [refused, setRefused] = useState("");
  const judged = useJudged(match);
  const { reviewed, judge } = judged;
  /** @type {[import("./review.js").Reviewed | null, Error | null]} */
  const [review, unjudged] = useFound(id, "review", deal, reviewed);
  const lost = useFound(id, "lost", deal, match?.solvable ? reviewed : null);
  const [told, wrong] = useFrames(`/api/matches/${id}`, deal, judged.seat, step);
  const felt = useRef(/** @type {HTMLElement | null} */ (null));
  const [shown, stepped, skip] = useActed(felt, told, match?.players.length ?? 0);
  const place = { deal, setDeal, seat: reviewed, judge, placed: judged.placed };
  const steps = usePlace([step, setStep], told, place, review, stepped);
  const { at, go } = steps;
  const laid = useFaces(useChoices().faces, told?.faces);
  if (error || (wrong && !told))
    return html`<main class="page" id="main"><h1>${tr("Replay")}</h1><${Problem}
      error=${error ?? wrong} /></main>`;
  if (!match || !told || !laid)
    return html`<main class="page" id="main"><p class="loading" role="status">${tr("Laying out the cards …")}</p>
      </main>`;
  const { frame } = told;
  const names = namesOf(match.players);
  const you = own(match);
  const seat = reviewed ?? (judged.seat < 0 ? (you ?? 0) : judged.seat);
  const decision = told.late ? null : review?.decisions.find((one) => before(one) === at);
  const measure = measureOf(review ?? { lowest: 0, highest: 99 }, frame.view);
  const show = (/** @type {number} */ to) => go(to, false, true);
  const next = nextOf(told, review, reviewed, steps);
  /** Take the seat of the player who made the next move, and play on from before it against bots. */
  const retry = () =>
    next && tryAgain(`/api/matches/${id}`, deal, next.number).catch((problem) => setRefused(problem.message));
  const again =
    next &&
    html`<button type="button" onClick=${retry}>${
      reviewed !== null || next.seat === you
        ? tr("Try again from here")
        : tr("Continue from here as {player}", { player: names[next.seat ?? 0] })
    }</button>`;
  const moved = html`<p class="moved" aria-live="polite"><${Moved} frame=${frame} decision=${decision} names=${names}
    you=${you} measure=${measure} /></p>`;
  const view = shown.view ?? frame.view;
  return html`<main class="page replay ${reviewed === null ? "" : "reviewing"}" id="main">
    <h1>${tr(match.title)} <small><time>${new Date(match.at).toLocaleDateString(code())}</time></small></h1>
    <${Controls} told=${told} names=${names} deal=${deal}
      setDeal=${(/** @type {number} */ number) => (steps.begin(), setDeal(number))} judged=${judged} steps=${steps}
      again=${again} />
    <div class="laid">
    <div class="shownow">
    ${reviewed === null && moved}
    ${(refused || wrong) && html`<${Problem} error=${refused || wrong} />`}
    <${Laid} felt=${felt} view=${view} hands=${shown.view ? shown.hands : frame.view.hands} names=${names} you=${you}
      seat=${seat} game=${match.game} late=${told.late} skip=${skip} beat=${shown.beat?.kind} decision=${decision}
      held=${shown.held} gains=${shown.gains} players=${match.players} />
    ${reviewed === null && html`<${Events} frame=${frame} shown=${shown} names=${names} you=${you} />`}</div>
    ${
      reviewed !== null &&
      html`<${Review} sheet=${review} lost=${lost} error=${unjudged} names=${names} you=${you} judged=${judged}
        steps=${steps} measure=${measure} show=${show}>${moved}<${Steps} steps=${steps}>${again}<//><//>`
    }
    </div>
    <p><a href="/api/matches/${id}/record" download>${tr("Download the record")}</a></p>
  </main>`;
}
