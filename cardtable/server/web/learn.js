/**
 * A first hand: a real position of a game, played step by step with a sentence at each (`GET /api/games/NAME/lesson`).
 */
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Offers } from "./actions.js";
import { get } from "./api.js";
import { unaided } from "./changes.js";
import { clicks } from "./clicks.js";
import { message } from "./events.js";
import { useAsked, useChoices, useNarrow } from "./hooks.js";
import { Said, tr } from "./message.js";
import { Middle } from "./middle.js";
import { NOWHERE, places, run } from "./motion.js";
import { called, calledSo, movesAt, offered, resolveMove } from "./moves.js";
import { Seat, zonesOf } from "./seats.js";
import { played } from "./experience.js";
import { paced } from "./store.js";
import { Hand } from "./zones.js";

/** @typedef {import("./moves.js").Zone} Zone */
/** @typedef {import("./message.js").Value} Value */

const BEAT = 1300; // ms in which a move of another player is shown
const READ = 2600; // ms for one with a sentence

/** The page to which a lesson leads back: a table, or a new one. @param {string} name @param {string} preset */
function onwards(name, preset) {
  const then = new URLSearchParams(location.search).get("then") ?? "";
  return /^\/t\/[\w-]+$/.test(then)
    ? { href: then, text: tr("To the table") }
    : {
        href: `/new?game=${encodeURIComponent(name)}&preset=${encodeURIComponent(preset)}`,
        text: tr("Set up a table"),
      };
}

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
  if (error)
    return html`<main class="page" id="main"><h1>${tr("A first hand")}</h1><p class="problem" role="alert">
      ${error.message}</p></main>`;
  if (!lesson)
    return html`<main class="page" id="main"><p class="loading" role="status">${tr(
      "Laying out the cards …",
    )}</p></main>`;
  return html`<${Lesson} key=${`${lesson.game} ${lesson.preset}`} lesson=${lesson} />`;
}

/** @param {{lesson: any}} props */
function Lesson({ lesson }) {
  const [at, setAt] = useState(0);
  const [answer, setAnswer] = useState(/** @type {Value} */ (""));
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  const chose = useChoices();
  const narrow = useNarrow();
  const felt = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(NOWHERE);
  const { frames, seat: you } = lesson;
  const frame = frames[at];
  const view = chose.aids ? frame.view : unaided(frame.view);
  const yours = frame.seat === you;
  const over = frame.seat === null;
  const names = lesson.names.map((/** @type {string} */ one) => one || tr("You"));
  const on = () => {
    if (felt.current) before.current = places(felt.current);
    setAnswer("");
    setChosen([]);
    setAt((now) => Math.min(now + 1, frames.length - 1));
  };
  useLayoutEffect(() => {
    if (felt.current) run(felt.current, view, before.current, null);
  }, [at]);
  useEffect(() => {
    if (yours || over) return undefined;
    const timer = setTimeout(on, Math.max(300, paced(frame.says ? READ : BEAT)));
    return () => clearTimeout(timer);
  }, [at]);
  useEffect(() => {
    if (over) played(lesson.game, lesson.preset);
  }, [over]);
  const wanted = view.choices.find((/** @type {any} */ move) =>
    frame.move.split(" ").includes(move.text.split(" ")[0]),
  );
  const aim = view.choices.find((/** @type {any} */ move) => move.text === frame.move) ?? wanted ?? null;
  const goal = { says: "this hand goes on with {move}", move: frame.label ?? { moves: frame.move } };
  /** What the player has tried. @param {string} move */
  const tried = (move) => {
    if (clicks.ignored) return undefined;
    if (same(move, frame.move)) return on();
    setChosen([]);
    return setAnswer({ says: "{move}: that is allowed, too, but {goal}.", move: calledSo(view, move), goal });
  };
  /** A click on a card, or on a heap. @param {Zone} zone @param {string} card */
  const click = (zone, card) => {
    if (!yours || clicks.ignored) return undefined;
    if (zone.together?.cards.includes(card)) {
      const now = chosen.includes(card) ? chosen.filter((one) => one !== card) : [...chosen, card];
      return setChosen(now);
    }
    const moves = card ? resolveMove(view, zone, card, chosen) : movesAt(view, zone, "");
    if (moves.some((move) => same(move.text, frame.move))) return on();
    if (moves.length)
      return setAnswer({ says: "{move}: that is allowed, too, but {goal}.", move: called(moves[0]), goal });
    const reason = frame.reasons[card];
    return setAnswer(
      reason ? { says: "Not {card}: {why}.", card: { card }, why: reason.why } : { says: "Not that: {goal}.", goal },
    );
  };
  const table = {
    names,
    you,
    seats: names.map((/** @type {string} */ who, /** @type {number} */ seat) => ({
      seat,
      name: who,
      kind: "person",
      present: true,
      online: true,
    })),
    deadline: 0,
  };
  const round = names.map((/** @type {string} */ _, /** @type {number} */ i) => (you + i) % names.length);
  const can = (/** @type {Zone} */ zone, /** @type {string} */ card) => yours && movesAt(view, zone, card).length > 0;
  const hand = zonesOf(view, you).find((/** @type {Zone} */ zone) => zone.kind === "hand");
  const offers = yours ? offered(view, chosen) : [];
  const done = frames.slice(0, at).filter((/** @type {any} */ one) => one.seat === you).length;
  const next = onwards(lesson.game, lesson.preset);
  const says = frame.says ?? (frame.events.length ? null : { says: "" });
  return html`<main class="page replay learn" id="main">
    <h1>${tr("A first hand of {game}", { game: { says: lesson.title } })}${" "}
      <small>${tr("{n} of {of} moves", { n: done, of: lesson.own })}</small></h1>
    <div class="says" aria-live="polite">
      ${at === 0 && html`<p><${Said} message=${lesson.intro} names=${names} you=${you} sentence /></p>`}
      ${says && html`<p class=${yours ? "try" : ""}><${Said} message=${says} names=${names} you=${you} sentence /></p>`}
      ${
        !frame.says &&
        frame.events.map(
          (/** @type {any} */ event, /** @type {number} */ i) =>
            html`<p key=${i}><${Said} message=${message(event)} names=${names} you=${you} sentence /></p>`,
        )
      }
      ${
        answer &&
        html`<p class="answer" role="status"><${Said} message=${answer} names=${names} you=${you} sentence /></p>`
      }
    </div>
    <p class="buttons">${
      over
        ? html`<a class="button primary" href=${next.href}>${next.text}</a>
          <button type="button" onClick=${() => setAt(0)}>${tr("Once more")}</button>`
        : html`<button type="button" class="primary" onClick=${() => clicks.ignored || on()}>
            ${yours ? tr("Show me") : tr("Next")}
          </button>
          <a class="button" href=${next.href}>${tr("Skip")}</a>`
    }</p>
    <div class="feltbox" ref=${felt}><div class="watching live ${yours ? "turn" : ""} n${names.length}">
      ${
        names.length > 1 &&
        html`<div class="others">${round.slice(1).map(
          (/** @type {number} */ seat) =>
            html`<${Seat} key=${seat} place=${table.seats[seat]} view=${view} table=${table} now=${Date.now}
          click=${click} can=${can} />`,
        )}</div>`
      }
      <${Middle} view=${view} table=${table} round=${round} click=${click} can=${can} chosen=${chosen} advised=${aim} />
      ${
        (hand || names.length > 1) &&
        html`<div class="own"><${Seat} place=${table.seats[you]} view=${view} table=${table} now=${Date.now} mine
          click=${click} can=${can} />${
            hand &&
            html`<${Hand} zone=${hand} can=${can} order=${chose.order} narrow=${narrow} click=${click} chosen=${chosen}
            ready="" reasons=${{}} advised=${hand.together ? [] : (aim?.cards?.slice(0, 1) ?? [])} />`
          }</div>`
      }
      <div class="actions" role="toolbar" aria-label=${tr("Moves")}>
        <${Offers} offers=${offers} chosen=${chosen} whole=${!!hand?.together} table=${table} play=${tried} armed=""
          more=${() => setAnswer({ says: "{goal}.", goal })} drop=${() => setChosen([])} you=${you} /></div>
    </div></div>
  </main>`;
}
