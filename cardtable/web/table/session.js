/** A player's session at a table: the socket, and what it has told, ready to be shown. */
import { useEffect, useLayoutEffect, useRef, useState } from "../browser/html.js";
import { get } from "../net/api.js";
import { isCard } from "../faces/cards.js";
import { untold } from "../motion/changes.js";
import { call } from "../motion/cue.js";
import { Director } from "../motion/director.js";
import { continued } from "../text/events.js";
import { refusal, tr, written } from "../text/message.js";
import { NOWHERE, places, run } from "../motion/motion.js";
import { OFFLINE, persist, UNANSWERED, unconnected } from "../net/patience.js";
import {
  drawn,
  lastTrick as keptTrick,
  NOTHING_RECEIVED,
  NOTHING_SHOWN,
  received,
  shownWith,
  turned,
} from "./scene.js";
import { Shuffler } from "../net/shuffle.js";
import { TableSocket } from "../net/socket.js";
import { chime, sound } from "../motion/sound.js";
import { choices } from "../browser/store.js";

/** @typedef {import("../hand/moves.js").Zone} Zone */

// ms
const GAINS_STAY = 2200;
// ms to wait for an answer, as in server/rooms/questions.py
const LONGEST_ANSWER = 120_000;
const NOT_FOUND = 404;

/** The page before the first message of the server. */
const FIRST = { table: null, view: null, log: [], past: [], up: false, held: null, late: null, failed: "", sent: -1 };

/**
 * What the server has answered to this player alone: the move or question that was `refused`, the `advice` of a hint,
 * what is `foreseen` (what is left, or whether it can be won). `wondering`: something was asked for, and has no answer
 * yet; `quiet`: nobody asked for that, the coach did.
 */
function useAnswers() {
  const [answers, setAnswers] = useState({
    refused: /** @type {any} */ (null),
    advice: /** @type {any} */ (null),
    foreseen: /** @type {any} */ (null),
    wondering: false,
    quiet: false,
  });
  const now = useRef(answers);
  now.current = answers;
  /** @param {Partial<typeof answers>} some */
  const tell = (some) => setAnswers((one) => ({ ...one, ...some }));
  useEffect(() => {
    if (!answers.wondering) return undefined;
    const timer = setTimeout(() => tell({ wondering: false }), LONGEST_ANSWER);
    return () => clearTimeout(timer);
  }, [answers.wondering]);
  return { answers, now, tell };
}

/**
 * What the director shows besides the table, and how cards get to where they are drawn.
 * @param {{current: HTMLElement | null}} felt @param {any} state of the page
 */
function useShown(felt, state) {
  const [shown, setShown] = useState(NOTHING_SHOWN);
  const before = useRef(/** @type {any} */ ({ places: NOWHERE, width: 0 }));
  useLayoutEffect(() => {
    const { places: old, width } = before.current;
    if (felt.current && state.view && width === innerWidth) run(felt.current, state.view, old, shown.beat, shown.held);
  }, [state.version, shown.key, shown.held]);
  useEffect(() => {
    if (shown.beat) return undefined;
    const timer = setTimeout(() => setShown((one) => ({ ...one, gains: new Map() })), GAINS_STAY);
    return () => clearTimeout(timer);
  }, [shown.key]);
  /** Note where the cards are, before something else is drawn. */
  const look = () => {
    before.current = { places: felt.current ? places(felt.current) : NOWHERE, width: innerWidth };
  };
  return { shown, setShown, look };
}

/** The code of a table, by which others find it. @param {string} id @param {() => void} missing there is none */
function useCode(id, missing) {
  const [code, setCode] = useState("");
  useEffect(
    () =>
      persist(
        () => get(`/api/tables/${encodeURIComponent(id)}`),
        ([told, error]) => {
          if (told) setCode(told.code);
          if (error?.status === NOT_FOUND) missing();
        },
      ),
    [id],
  );
  return code;
}

/** The speed now: nothing waits where nobody looks, and as plain text. */
function speed() {
  const { speed: chosen, plain } = choices();
  return document.hidden || plain ? "instant" : chosen;
}

/**
 * What the socket and the director change: `latest`: the newest state of the page; `arrived`: called when another state
 * of the table is shown; `because`: called with reasons.
 * @typedef {{latest: {current: any}, setState: (next: any) => void, put: (some: any) => void,
 * setShown: ReturnType<typeof useShown>["setShown"], look: () => void, setLastTrick: (next: (before: Zone |
 * null) => Zone | null) => void,
 * answers: ReturnType<typeof useAnswers>["now"], tell: ReturnType<typeof useAnswers>["tell"],
 * setSent: (version: number) => void, setReviewed: (review: any) => void, ears: {current: Ears}}} Page
 *
 * @typedef {{arrived: (before: any, now: any, fresh: any[]) => void, because: (m: any) => void}} Ears
 */

/**
 * Where the director shows the scenes of a table.
 * @param {Page} page @returns {import("../motion/director.js").Stage}
 */
const stage = ({ latest, setState, setShown, look, setLastTrick, tell, ears }) => ({
  draw(scene, at) {
    const { told, beats } = scene;
    const past = latest.current;
    const next = drawn(past, scene, at);
    look();
    const first = !told.drawn;
    told.drawn = true;
    latest.current = next;
    setState(next);
    if (!first) return;
    setLastTrick((before) => keptTrick(past, next, told.trick, before));
    const { announced: caption } = told;
    setShown((one) => ({
      ...one,
      ...(caption.length ? { key: one.key + 1, caption } : {}),
      held: at < beats.length ? told.trick : null,
    }));
    const { you, title } = next.table;
    const acted = told.fresh.some((/** @type {any} */ one) => one.seat === you);
    // an answer stays until the next move
    if (acted || past.view?.legal.join() !== next.view?.legal.join())
      tell({ advice: null, foreseen: null, wondering: false, quiet: false });
    if (acted) tell({ refused: null });
    if (turned(past, next)) call(tr(title));
    ears.current.arrived(past, next, told.fresh);
  },
  beat(beat, scene, at) {
    look();
    if (scene && at < scene.drawn) {
      const log = untold(scene.told.state.log, scene.beats, at);
      latest.current = { ...latest.current, log };
      setState(latest.current);
    }
    if (beat && speed() !== "instant") sound(beat.kind);
    setShown((one) => shownWith(one, beat));
  },
  missed(beats) {
    const won = beats.filter((beat) => beat.wins).at(-1)?.caption;
    const last = beats.at(-1)?.caption;
    setShown((one) => ({ ...one, caption: last ? continued(one.caption, last) : one.caption, won: won ?? one.won }));
  },
  speed,
  later: (act, ms) => setTimeout(act, ms),
  cancel: (timer) => clearTimeout(timer),
});

/**
 * What the socket tells about the connection. @param {Page} page
 * @returns {Pick<import("../net/socket.js").Ears, "line" | "site" | "late" | "held">}
 */
function onLine({ latest, put, tell }) {
  let behind = ""; // what does not come
  let gone = false; // the connection
  return {
    line(up) {
      if (up) tell({ wondering: false }); // what was asked before is not answered
      put({ up });
      if (up && gone) dispatchEvent(new CustomEvent("site")); // perhaps another server, after a restart
      gone = !up;
    },
    site: (seen) => dispatchEvent(new CustomEvent("site", { detail: seen })),
    late(what) {
      behind = what;
      if (what === "line") unconnected().then((why) => what === behind && put({ late: why }));
      else put({ late: what === "offline" ? OFFLINE : what && UNANSWERED });
    },
    held(why) {
      latest.current = { ...latest.current, held: why }; // the next state may come before this one is drawn
      put({ held: why });
    },
  };
}

/**
 * What the socket reports about the table, and answers.
 * @param {Page} page @param {Director} director @param {Shuffler} shuffler
 * @returns {Omit<import("../net/socket.js").Ears, "line" | "site" | "late" | "held">}
 */
function onTable({ latest, put, tell, answers, setSent, setReviewed, ears }, director, shuffler) {
  let newest = NOTHING_RECEIVED;
  return {
    state(m) {
      const { now, scene } = received(newest, m);
      newest = now;
      director.push(scene);
      shuffler.see(m.table).then(put);
    },
    refused(m, command) {
      if (["commit", "reveal"].includes(command?.type)) return; // too late: the match begins without this part
      // an automatic question: it is repeated, or no longer matters
      if (m.code === "message/rate" && !answers.current.wondering) return;
      if (answers.current.quiet && !command) return tell({ wondering: false });
      if (m.code === "table/missing" || (m.seq === 0 && !latest.current.table))
        return put({ failed: written(refusal(m), {}, true) });
      latest.current.sent = -1;
      setSent(-1);
      const [begun] = command?.type === "move" ? command.move.split(" ") : [""];
      const card = isCard(begun) ? begun : "";
      tell({ wondering: false, refused: { ...m, card, key: Date.now() } });
      chime("no");
    },
    dismissed: (m) => put({ table: null, failed: written(refusal(m), {}, true) }),
    // the match may have continued since the request
    advice: (m) => tell({ wondering: false, ...(latest.current.view?.legal.includes(m.move) ? { advice: m } : {}) }),
    foreseen: (m) => tell({ wondering: false, ...(m.version === latest.current.version ? { foreseen: m } : {}) }),
    reviewed: (m) => setReviewed(m.review),
    because: (m) => ears.current.because(m),
  };
}

/**
 * Connect with a table. @param {string} id @param {Page} page
 * @returns {{socket: TableSocket, director: Director, close: () => void}}
 */
function connected(id, page) {
  const director = new Director(stage(page));
  Object.assign(globalThis, { cardtable: { director } });
  const unseen = () => document.hidden && director.skip();
  document.addEventListener("visibilitychange", unseen);
  const shuffler = new Shuffler((type, fields) => socket.command(type, fields));
  const socket = new TableSocket(id, { ...onLine(page), ...onTable(page, director, shuffler) });
  const close = () => {
    socket.close();
    director.close();
    document.removeEventListener("visibilitychange", unseen);
  };
  return { socket, director, close };
}

/**
 * @param {string} id of the table
 * @param {{current: HTMLElement | null}} felt
 * @param {Ears["arrived"]} arrived called when another state of the table is shown, with what has happened since
 */
export function useSession(id, felt, arrived) {
  const [state, setState] = useState(/** @type {any} */ (FIRST));
  const [reviewed, setReviewed] = useState(/** @type {any} */ (null)); // what has come of the last deal's review
  const [lastTrick, setLastTrick] = useState(/** @type {Zone | null} */ (null));
  const [sent, setSent] = useState(-1); // the version at which an unanswered move was sent
  const { answers, now: answered, tell } = useAnswers();
  const { shown, setShown, look } = useShown(felt, state);
  const put = (/** @type {any} */ some) => setState((/** @type {any} */ one) => ({ ...one, ...some }));
  const line = useRef(/** @type {ReturnType<typeof connected> | null} */ (null));
  const moved = useRef(""); // the move that was sent last
  const latest = useRef(state);
  latest.current = state;
  const ears = useRef(/** @type {Ears} */ ({ arrived, because: () => undefined }));
  ears.current.arrived = arrived;
  const page = { latest, setState, put, setShown, look, setLastTrick, tell, setSent, setReviewed, ears };
  useEffect(() => {
    line.current = connected(id, { ...page, answers: answered });
    return line.current.close;
  }, [id]);
  const code = useCode(id, () =>
    put({ failed: tr("There is no such table. Perhaps it was closed, or the address is not complete.") }),
  );

  const send = (/** @type {string} */ type, /** @type {any} */ fields = {}) =>
    line.current?.socket.command(type, fields);
  const say = (/** @type {string} */ type, /** @type {any} */ fields = {}) => line.current?.socket.say(type, fields);
  /** Ask something; the answer takes the place of what was refused. @param {string} what @param {any} [more] */
  const ask = (what, more = {}) => {
    tell({ refused: null, foreseen: null, wondering: true, quiet: false, ...more });
    say(what, more.quiet ? { unasked: true } : {});
  };
  return {
    ...answers,
    state,
    latest, // the newest state: events may come before it is drawn
    turn: state.view?.legal.length > 0 && sent !== state.version,
    /** The move that was sent, and has no answer yet. */
    waits: sent === state.version ? moved.current : "",
    setRefused: (/** @type {any} */ refused) => tell({ refused }),
    setAdvice: (/** @type {any} */ advice) => tell({ advice }),
    shown,
    lastTrick,
    /** Whether something has happened that is not drawn yet. */
    behind: () => line.current?.director.behind ?? false,
    /** Show at once all that has happened. */
    skip: () => line.current?.director.skip(),
    code,
    ears,
    /** Ask for a hint. */
    hint: () => ask("hint"),
    /** Ask for a hint that is not counted: the player did not ask for it. */
    advise: () => ask("hint", { quiet: true }),
    /** Ask whether anything useful is left to do. */
    outlook: () => ask("outlook", { advice: null }),
    /** Ask whether the game can still be won, which looks at hidden cards. */
    winnable: () => ask("winnable", { advice: null }),
    review: {
      sheet: reviewed,
      /** Ask for the review of the deal that is over. */
      ask() {
        setReviewed((/** @type {any} */ one) => (one?.complete ? null : one));
        say("review");
      },
    },
    now: () => line.current?.socket.now() ?? Date.now(),
    send,
    say,
    /** Send a move, unless one was sent already that has no answer yet. @param {string} move */
    move(move) {
      const { version } = latest.current;
      latest.current.sent = version;
      moved.current = move;
      setSent(version);
      send("move", { move, at: version });
    },
  };
}
