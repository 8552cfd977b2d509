/**
 * A first hand: a real position of a game, played step by step with a sentence at each (`GET /api/games/NAME/lesson`).
 */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../browser/html.js";
import { visit } from "../browser/address.js";
import { Card, useFaces } from "../faces/cards.js";
import { Offers } from "../table/actions.js";
import { seated } from "../table/board.js";
import { get, post } from "../net/api.js";
import { unaided } from "../motion/changes.js";
import { clicks } from "../hand/clicks.js";
import { message } from "../text/events.js";
import { useChoices, useWindow } from "../browser/hooks.js";
import { Said, tr } from "../text/message.js";
import { arranged } from "../table/layout.js";
import { Middle } from "../table/middle.js";
import { NOWHERE, places, run } from "../motion/motion.js";
import { calledSo, movesAt, offered, resolveMove } from "../hand/moves.js";
import { facesOff, Seat, zonesOf } from "../table/seats.js";
import { played } from "../browser/experience.js";
import { choices, paced } from "../browser/store.js";
import { Hand } from "../table/zones.js";
import { Problem, useAsked } from "../net/asked.js";
import { useTerms } from "../net/terms.js";

/** @typedef {import("../hand/moves.js").Zone} Zone */
/** @typedef {import("../text/message.js").Value} Value */

// ms in which a move of another player is shown
const BEAT = 1300;
// ms for one with a sentence
const READ = 2600;

/**
 * Whether a move is the one of a step, or begins it where the step takes several (`5H 6C done`, in any order).
 * @param {string} move @param {string} wanted
 */
const same = (move, wanted) =>
  move.split(" ").sort().join(" ") === wanted.split(" ").sort().join(" ") ||
  (wanted.endsWith(" done") && wanted.split(" ").includes(move));

/** @param {{name: string}} props */
export function Learn({ name }) {
  const asked = new URLSearchParams(location.search);
  const preset = asked.get("rules") ?? asked.get("preset") ?? "";
  const [lesson, error] = useAsked(
    () => get(`/api/games/${encodeURIComponent(name)}/lesson?preset=${encodeURIComponent(preset)}`),
    [name, preset],
  );
  const laid = useFaces(useChoices().faces, lesson?.faces);
  if (error)
    return html`<main class="page" id="main"><h1>${tr("A first hand")}</h1><${Problem}
      error=${error} /></main>`;
  if (!lesson || !laid)
    return html`<main class="page" id="main"><p class="loading" role="status">${tr(
      "Laying out the cards …",
    )}</p></main>`;
  return html`<${Lesson} key=${`${lesson.game} ${lesson.preset}`} lesson=${lesson} />`;
}

/**
 * What is said of a click on a card, or on a heap, at a step of a lesson: "" if the lesson continues.
 * @param {any} frame @param {Zone} zone @param {string} card @param {string[]} chosen @returns {Value}
 */
function saidOf(frame, zone, card, chosen) {
  const { view } = frame;
  const goal = goalOf(frame);
  const moves = card ? resolveMove(view, zone, card, chosen) : movesAt(view, zone, "");
  if (moves.some((move) => same(move.text, frame.move))) return "";
  if (moves.length) return allowed(frame, moves[0].text);
  const reason = frame.reasons[card];
  return reason ? { says: "Not {card}: {why}.", card: { card }, why: reason.why } : goal;
}

/** The move that continues a lesson, with its reason. @param {any} frame @returns {Value} */
const goalOf = (frame) => ({ sentence: frame.advice[frame.move] });

/** What is said of a legal move that does not continue the lesson. @param {any} frame @param {string} move */
const allowed = (frame, move) => ({
  says: "{move} That is allowed, too, but this hand continues otherwise. {goal}",
  move: { sentence: frame.advice[move] ?? calledSo(frame.view, move) },
  goal: goalOf(frame),
});

/** The move of a step, or the one with which it begins, if it can be made now. @param {any} frame */
function aimOf({ view, move }) {
  const begins = (/** @type {any} */ one) => move.split(" ").includes(one.text.split(" ")[0]);
  return view.choices.find((/** @type {any} */ one) => one.text === move) ?? view.choices.find(begins) ?? null;
}

/**
 * The step of a lesson that is shown, and what the player has tried at it. Steps of others continue automatically.
 * @param {any} lesson @param {boolean} aids whether aids to the memory are shown
 */
function useLesson({ frames, seat: you, game, preset }, aids) {
  const [at, setAt] = useState(0);
  const [answer, setAnswer] = useState(/** @type {Value} */ (""));
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  const felt = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(NOWHERE);
  const frame = aids ? frames[at] : { ...frames[at], view: unaided(frames[at].view) };
  const yours = frame.seat === you;
  const over = at === frames.length - 1;
  const stops = yours || frame.seat === null;
  const on = () => {
    if (felt.current) before.current = places(felt.current);
    setAnswer("");
    setChosen([]);
    setAt((now) => Math.min(now + 1, frames.length - 1));
  };
  useLayoutEffect(() => {
    if (felt.current) run(felt.current, frame.view, before.current, null);
  }, [at]);
  useEffect(() => {
    if (stops) return undefined;
    const timer = setTimeout(on, Math.max(300, paced(frame.says ? READ : BEAT)));
    return () => clearTimeout(timer);
  }, [at]);
  useEffect(() => {
    if (over) played(game, preset);
  }, [over]);
  /** What the player has tried by a button. @param {string} move */
  const tried = (move) => {
    if (clicks.ignored) return undefined;
    if (same(move, frame.move)) return on();
    setChosen([]);
    return setAnswer(allowed(frame, move));
  };
  /** A click on a card, or on a heap. @param {Zone} zone @param {string} card */
  const click = (zone, card) => {
    if (!yours || clicks.ignored) return undefined;
    if (zone.together?.cards.includes(card))
      return setChosen(chosen.includes(card) ? chosen.filter((one) => one !== card) : [...chosen, card]);
    const said = saidOf(frame, zone, card, chosen);
    return said ? setAnswer(said) : on();
  };
  const more = () => setAnswer(goalOf(frame));
  const drop = () => setChosen([]);
  return { at, frame, yours, over, answer, chosen, felt, on, tried, click, more, drop, again: () => setAt(0) };
}

/** What has happened, what is said at a step, and of what the player has tried. @param {any} props */
function Says({ lesson, step: { at, frame, yours, answer }, names }) {
  const reader = { names, you: lesson.seat, sentence: true, words: useTerms(lesson.game) };
  const turned = frame.events.filter((/** @type {any} */ event) => event.kind === "show" && event.card);
  return html`<div class="says" aria-live="polite">
      ${at === 0 && html`<p><${Said} message=${lesson.intro} ...${reader} /></p>`}
      ${
        frame.events.length > 0 &&
        html`<p class="did">${turned.map(
          (/** @type {any} */ event) => html`<${Card} key=${event.card} card=${event.card} still />`,
        )}${frame.events.map(
          (/** @type {any} */ event, /** @type {number} */ i) =>
            html`<span key=${i}><${Said} message=${message(event)} ...${reader} />. </span>`,
        )}</p>`
      }
      ${frame.says && html`<p class=${yours ? "try" : ""}><${Said} message=${frame.says} ...${reader} /></p>`}
      ${answer && html`<p class="answer" role="status"><${Said} message=${answer} ...${reader} /></p>`}
    </div>`;
}

/** The table of a lesson. @param {any} props */
function Shown({ lesson: { seat: you }, step, names }) {
  const { frame, yours, chosen, click } = step;
  const { view } = frame;
  const aim = aimOf(frame);
  const who = (/** @type {string} */ _, /** @type {number} */ seat) =>
    seat === you ? { name: choices().name } : { level: "medium" };
  const table = seated(names, you, names.map(who));
  const round = names.map((/** @type {string} */ _, /** @type {number} */ i) => (you + i) % names.length);
  const can = (/** @type {Zone} */ zone, /** @type {string} */ card) => yours && movesAt(view, zone, card).length > 0;
  const hand = zonesOf(view, you).find((zone) => zone.kind === "hand");
  const at = { view, table, now: Date.now, click, can };
  const how = arranged(useWindow());
  return html`<div class="sat live ${yours ? "turn" : ""} ${facesOff(view, names.length) ? "faceoff" : ""}"
    data-how=${how === "round" ? null : how}>
      ${
        names.length > 1 &&
        html`<div class="others">${round
          .slice(1)
          .map(
            (/** @type {number} */ seat) => html`<${Seat} key=${seat} place=${table.seats[seat]} ...${at} />`,
          )}</div>`
      }
      <${Middle} view=${view} table=${table} round=${round} click=${click} can=${can} chosen=${chosen} advised=${aim} />
      ${
        (hand || names.length > 1) &&
        html`<div class="own"><${Seat} place=${table.seats[you]} ...${at} mine />${
          hand &&
          html`<${Hand} zone=${hand} can=${can} click=${click} chosen=${chosen}
            ready="" reasons=${{}} advised=${hand.together ? [] : (aim?.cards?.slice(0, 1) ?? [])} />`
        }</div>`
      }
      <div class="actions" role="toolbar" aria-label=${tr("Moves")}>
        <${Offers} offers=${yours ? offered(view, chosen) : []} chosen=${chosen} whole=${!!hand?.together}
          table=${table} play=${step.tried} armed="" more=${step.more} drop=${step.drop} you=${you} /></div>
    </div>`;
}

/** The end of a lesson: its hand is played on at a real table. @param {any} props */
function End({ lesson: { game, preset, ended }, again, next }) {
  const [wrong, setWrong] = useState("");
  const on = () =>
    post(`/api/games/${encodeURIComponent(game)}/lesson`, { preset, name: choices().name })
      .then((made) => visit(made.path))
      .catch((problem) => setWrong(problem.message));
  return html`<button type="button" class="primary" onClick=${on}>
      ${ended ? tr("Play this hand") : tr("Play this hand on")}</button>
    <button type="button" onClick=${again}>${tr("Once more")}</button>
    <a class="button" href=${next}>${tr("Set up a table")}</a>
    ${wrong && html`<span class="problem" role="alert">${wrong}</span>`}`;
}

/** @param {{lesson: any}} props */
function Lesson({ lesson }) {
  const step = useLesson(lesson, useChoices().aids);
  const { at, yours } = step;
  const names = lesson.names.map((/** @type {string} */ one) => one || tr("You"));
  const waits = (/** @type {any} */ one) => one.seat === lesson.seat || one.seat === null;
  const done = lesson.frames.slice(0, at).filter(waits).length;
  const next = `/new?game=${encodeURIComponent(lesson.game)}&preset=${encodeURIComponent(lesson.preset)}`;
  return html`<main class="page replay learn" id="main">
    <h1>${tr("A first hand of {game}", { game: { says: lesson.title } })}${" "}
      <small>${tr("{n} of {of}", { n: done, of: lesson.read })}</small></h1>
    <${Says} lesson=${lesson} step=${step} names=${names} />
    <div class="feltbox" ref=${step.felt}><${Shown} lesson=${lesson} step=${step} names=${names} /></div>
    <p class="buttons">${
      step.over
        ? html`<${End} lesson=${lesson} again=${step.again} next=${next} />`
        : html`<button type="button" class="primary" onClick=${() => clicks.ignored || step.on()}>
            ${yours ? tr("Show me") : tr("Next")}
          </button>
          <a class="button" href=${next}>${tr("Skip")}</a>`
    }</p>
  </main>`;
}
