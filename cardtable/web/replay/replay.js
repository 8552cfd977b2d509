/** A finished match, step by step. */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { useActed } from "./acted.js";
import { visit } from "../browser/address.js";
import { get, post } from "../net/api.js";
import { choices } from "../browser/store.js";
import { useFrames } from "./frames.js";
import { message } from "../text/events.js";
import { code } from "../text/language.js";
import { Said, tr } from "../text/message.js";
import { playerName } from "../text/names.js";
import { Board, seated } from "../table/board.js";
import { before as frameOf, Review, Steps, useLost, useReview, Verdict, WithAllCardsSeen } from "./review.js";
import { useAsked } from "../net/asked.js";

/** The player's own seat, or the first. @param {any} match */
const own = (match) =>
  Math.max(
    0,
    match.players.findIndex((/** @type {any} */ p) => p.you),
  );

/** A number, from 1, in the page's address; 0: none is there. @param {string} name */
const asked = (name) => Math.max(0, Math.floor(Number(new URLSearchParams(location.search).get(name))) || 0);

/** The names of the players; equal ones get a number. @param {any[]} players @returns {string[]} */
const namesOf = (players) =>
  players.map((one, i) =>
    one.level || !one.name || players.filter((other) => other.name === one.name).length === 1
      ? playerName(one)
      : `${playerName(one)} ${i + 1}`,
  );

/**
 * The step that is looked at: `at`, of which the `last` can be one; `go` goes to one, by a move forward or by a jump.
 * @param {[number, (step: number) => void]} state the step wanted
 * @param {import("./frames.js").Shown | null} told
 * @param {(forward: boolean) => void} stepped called before a step
 */
function useSteps([step, setStep], told, stepped) {
  const wanted = useRef(asked("move")); // 0: it is shown, or there is none
  const numbers = told?.numbers ?? [0];
  const last = numbers.length - 1;
  const at = Math.min(step, last);
  const go = (/** @type {number} */ to, forward = false) => {
    stepped(forward && to <= last);
    setStep(Math.max(0, Math.min(last, to)));
  };
  useEffect(() => {
    if (!told || !wanted.current) return;
    setStep(Math.max(0, frameOf(numbers, { number: wanted.current })));
    wanted.current = 0;
  }, [numbers]);
  useEffect(() => {
    const heard = (/** @type {KeyboardEvent} */ e) => {
      if (/** @type {HTMLElement} */ (e.target).closest("select, input")) return;
      if (e.key === "ArrowRight") go(at + 1, true);
      if (e.key === "ArrowLeft") go(at - 1);
    };
    document.addEventListener("keydown", heard);
    return () => document.removeEventListener("keydown", heard);
  });
  return { numbers, last, at, go };
}

/**
 * Whose cards are seen, and whose decisions are reviewed: `reviewed`, by what they knew (`known`) or by all cards.
 * @param {any} match
 */
function useJudged(match) {
  const [seat, setSeat] = useState(-1);
  const [reviewed, setReviewed] = useState(/** @type {number | null} */ (null));
  const [known, setKnown] = useState(true);
  const judge = (/** @type {number | null} */ whose, only = known) => {
    setReviewed(whose);
    setKnown(only);
    setSeat(whose !== null && only ? whose : -1);
  };
  useEffect(() => {
    if (match && new URLSearchParams(location.search).has("review")) judge(own(match));
  }, [match]);
  return { seat, setSeat, reviewed, known, judge };
}

/** What to look at, and how to go there. @param {any} props `again`: a button that plays on from here */
function Controls({ id, match, told, names, deal, setDeal, judged, steps, again }) {
  const { seat, setSeat, reviewed, judge } = judged;
  const { at, last, go } = steps;
  return html`<div class="controls" role="toolbar" aria-label=${tr("Replay")}>
      <label>${tr("Deal number", { context: "setting" })} <select value=${deal}
        onChange=${(/** @type {any} */ e) => setDeal(Number(e.target.value))}>${Array.from(
          { length: told.deals },
          (_, i) => html`<option key=${i} value=${i + 1}>${i + 1}</option>`,
        )}</select></label>
      ${
        reviewed === null &&
        html`<label>${tr("Seen by")} <select value=${seat}
        onChange=${(/** @type {any} */ e) => setSeat(Number(e.target.value))}><option value="-1">
        ${tr("everybody's cards")}</option>${names.map(
          (/** @type {string} */ name, /** @type {number} */ i) => html`<option key=${i} value=${i}>${name}</option>`,
        )}</select></label>`
      }
      <button type="button" aria-label=${tr("To the start")} onClick=${() => go(0)}>«</button>
        <button type="button" aria-label=${tr("One move back")} onClick=${() => go(at - 1)}>◀</button>
      <input type="range" aria-label=${tr("Move")} min="0" max=${last} value=${at}
        onInput=${(/** @type {any} */ e) => go(Number(e.target.value))} /><output>${at} / ${last}</output>
      <button type="button" aria-label=${tr("One move on")} onClick=${() => go(at + 1, true)}>▶</button>
        <button type="button" aria-label=${tr("To the end")} onClick=${() => go(last)}>»</button>
      <button type="button" aria-pressed=${reviewed !== null} class=${reviewed === null ? "primary" : ""}
        onClick=${() => judge(reviewed === null ? (seat < 0 ? own(match) : seat) : null)}>
        ${reviewed === null ? tr("Review") : tr("Close the review")}</button>
      <a class="button" href="/api/matches/${id}/record" download>${tr("Download the record")}</a>
      ${reviewed === null && again}
    </div>`;
}

/** What was done, and what it was worth. @param {any} props `decision`: what is known of it, if it is reviewed */
function Moved({ frame, decision, names }) {
  if (decision) return html`<${Verdict} decision=${decision} names=${names} />`;
  if (!frame?.move) return tr("The deal begins.");
  return html`<${Said} message=${{
    says: "{player}: {move}",
    player: { shown: () => html`<b>${names[frame.seat ?? 0] ?? ""}</b>` },
    move: frame.label ?? { moves: frame.move },
  }}
      names=${names} />`;
}

/** The table as it lay. @param {any} props `shown`: what is shown of its beats; `skip`: shows at once what is left */
const Laid = ({ felt, told: { frame, late }, shown, skip, names }) => html`
    <div class="feltbox" ref=${felt} aria-busy=${late} data-beat=${shown.beat?.kind ?? ""} onClick=${skip}>
      <${Board} view=${{ actors: [], ...(shown.view ?? frame.view) }} table=${seated(names)} held=${shown.held}
        gains=${shown.gains} hands=${shown.view ? shown.hands : frame.view.hands} /></div>
    <ul class="events">${frame.events.map(
      (/** @type {any} */ event, /** @type {number} */ i) =>
        html`<li key=${i} class=${shown.beat?.events.includes(event) ? "now" : ""}
          ><${Said} message=${message(event)} names=${names} sentence /></li>`,
    )}</ul>`;

/** @param {{id: string}} props its address may name a `deal` and a `move` in it, before which the replay opens */
export function Replay({ id }) {
  const [match, error] = useAsked(() => get(`/api/matches/${id}`), [id]);
  const [deal, setDeal] = useState(asked("deal") || 1);
  const [step, setStep] = useState(0);
  const [refused, setRefused] = useState("");
  const judged = useJudged(match);
  const { reviewed, known, judge } = judged;
  const [review, unjudged] = useReview(id, deal, reviewed);
  const loss = useLost(id, deal, match?.solvable ? reviewed : null);
  const [told, wrong] = useFrames(id, deal, judged.seat, step);
  const felt = useRef(/** @type {HTMLElement | null} */ (null));
  const now = useRef(/** @type {HTMLElement | null} */ (null));
  const [shown, stepped, skip] = useActed(felt, told, match?.players.length ?? 0);
  const steps = useSteps([step, setStep], told, stepped);
  const { numbers, at, go } = steps;
  if (error || (wrong && !told))
    return html`<main class="page" id="main"><h1>${tr("Replay")}</h1><p class="problem" role="alert">
      ${(error ?? wrong).message}</p></main>`;
  if (!match || !told)
    return html`<main class="page" id="main"><p class="loading" role="status">${tr("Laying out the cards …")}</p>
      </main>`;
  const { frame, next } = told;
  const names = namesOf(match.players);
  const decision = review?.decisions.find((one) => frameOf(numbers, one) === at);
  const show = (/** @type {number} */ to) => {
    go(to);
    now.current?.scrollIntoView({ block: "nearest" }); // on a phone the list is far down the page
  };
  /** Take the seat of the player who made the next move, and play on from before it against bots. */
  const retry = () =>
    post(`/api/matches/${id}/retry`, { deal, number: numbers[at + 1], name: choices().name })
      .then((made) => visit(made.path))
      .catch((problem) => setRefused(problem.message));
  const again =
    at < steps.last &&
    !told.late &&
    (decision || next) &&
    html`<button type="button" onClick=${retry}>${
      decision ? tr("Try again from here") : tr("Continue from here as {player}", { player: names[next?.seat ?? 0] })
    }</button>`;
  const begin = (/** @type {number} */ number) => (setDeal(number), setStep(0));
  return html`<main class="page replay ${reviewed === null ? "" : "reviewing"}" id="main">
    <h1>${tr(match.title)} <small><time>${new Date(match.at).toLocaleDateString(code())}</time></small></h1>
    <${Controls} id=${id} match=${match} told=${told} names=${names} deal=${deal} setDeal=${begin} judged=${judged}
      steps=${steps} again=${again} />
    <div class="laid">
    <div class="shownow" ref=${now}>
    ${
      review &&
      review.of > 0 &&
      html`<${Steps} decisions=${review.decisions} numbers=${numbers} at=${at} go=${go}>
      ${again}<//>`
    }
    <p class="moved" aria-live="polite"><${Moved} frame=${frame} decision=${decision} names=${names} /></p>
    ${decision && !known && html`<${WithAllCardsSeen} decision=${decision} />`}
    ${(refused || wrong) && html`<p class="problem" role="alert">${refused || wrong?.message}</p>`}
    <${Laid} felt=${felt} told=${told} shown=${shown} skip=${skip} names=${names} /></div>
    ${
      reviewed !== null &&
      html`<${Review} told=${review} lost=${loss} error=${unjudged} names=${names} seat=${reviewed}
      choose=${(/** @type {number} */ whose) => judge(whose)} known=${known}
      know=${(/** @type {boolean} */ only) => judge(reviewed, only)} numbers=${numbers} at=${at} go=${show} />`
    }
    </div>
  </main>`;
}
