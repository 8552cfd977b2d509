/** A player's session at a table: the socket, and what it has told, ready to be shown. */
import { useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { get } from "./api.js";
import { beats, drawnAt, withHandsOpen } from "./beats.js";
import { isCard } from "./cards.js";
import { ended, furnished, gained, hidden, laidOpen, unpaid, untold } from "./changes.js";
import { call } from "./cue.js";
import { Director } from "./director.js";
import { lines, seen } from "./log.js";
import { refusal, tr, written } from "./message.js";
import { NOWHERE, places, run } from "./motion.js";
import { remembered } from "./past.js";
import { persist, UNANSWERED, unconnected } from "./patience.js";
import { Shuffler } from "./shuffle.js";
import { TableSocket } from "./socket.js";
import { chime, sound } from "./sound.js";
import { choices } from "./store.js";

/** @typedef {import("./moves.js").Zone} Zone */

/**
 * What the director shows besides the table. `key` counts what was shown; `caption` stays for a while after its beat;
 * `held`: a complete trick that stays until its winner has gathered it; `gains`: what each seat has just paid or got.
 * @type {{key: number, beat: import("./beats.js").Beat | null, caption: import("./message.js").Value[], held: Zone |
 * null, gains: Map<number, number>}}
 */
const NOTHING_SHOWN = { key: 0, beat: null, caption: [], held: null, gains: new Map() };
const GAINS_STAY = 2200; // ms
const LONGEST_ANSWER = 120_000; // ms to wait for an answer, as in server/rooms/questions.py
const BEGINS = ["started", "next-deal", "rematch"]; // happenings that are shown even to somebody who has just arrived

/**
 * @param {string} id of the table
 * @param {{current: HTMLElement | null}} felt
 * @param {(before: any, now: any, fresh: any[]) => void} arrived called when another state of the table is shown, with
 * what has happened since the one before
 */
export function useSession(id, felt, arrived) {
  const [state, setState] = useState(
    /** @type {any} */ ({
      table: null,
      view: null,
      log: [],
      past: [],
      up: false,
      held: null,
      late: null,
      failed: "",
      sent: -1,
    }),
  );
  const [refused, setRefused] = useState(/** @type {any} */ (null));
  const [advice, setAdvice] = useState(/** @type {any} */ (null));
  const [wondering, setWondering] = useState(false); // a hint was asked for, and has no answer yet
  const wonders = useRef(false);
  wonders.current = wondering;
  const [foreseen, setForeseen] = useState(/** @type {any} */ (null)); // what is left, or whether it can be won
  const [reviewed, setReviewed] = useState(/** @type {any} */ (null)); // what has come of the last deal's review
  const [shown, setShown] = useState(NOTHING_SHOWN);
  const [lastTrick, setLastTrick] = useState(/** @type {Zone | null} */ (null));
  const [sent, setSent] = useState(-1); // the version at which an unanswered move was sent
  const [code, setCode] = useState("");
  const before = useRef(/** @type {any} */ ({ places: NOWHERE, width: 0 }));
  const director = useRef(/** @type {Director | null} */ (null));
  const socket = useRef(/** @type {TableSocket | null} */ (null));
  const latest = useRef(state);
  latest.current = state;
  const ears = useRef({ arrived, because: /** @type {(m: any) => void} */ (() => undefined) });
  ears.current.arrived = arrived;

  useEffect(() => {
    let received = {
      table: /** @type {any} */ (null),
      view: /** @type {any} */ (null),
      log: /** @type {any[]} */ ([]),
    }; // the newest, perhaps not shown yet
    /** Note where the cards are, before something else is drawn. */
    const look = () => {
      before.current = { places: felt.current ? places(felt.current) : NOWHERE, width: innerWidth };
    };
    /** Show a scene, whose beats from number `at` on are yet to come. @type {import("./director.js").Stage["draw"]} */
    const draw = ({ beats, told }, at) => {
      const past = latest.current;
      const next = { ...past, ...told.state, log: untold(told.state.log, beats, at), up: true };
      const comes = (/** @type {string} */ kind) => beats.slice(at + 1).some((beat) => beat.kind === kind);
      if (comes("chips")) next.view = unpaid(told.before, next.view);
      if (comes("open")) next.view = hidden(told.before, next.view, told.opened);
      look();
      const first = told.drawn !== true;
      told.drawn = true;
      if (first) next.past = remembered(told.first ? [] : past.past, told.past);
      latest.current = next;
      setState(next);
      if (!first) return;
      if (told.trick) setLastTrick(told.trick);
      setShown((one) => ({ ...one, held: at < beats.length ? told.trick : null }));
      setAdvice(null);
      setForeseen(null);
      setWondering(false);
      const { you, title } = next.table;
      if (told.fresh.some((/** @type {any} */ one) => one.seat === you)) setRefused(null);
      if (next.view?.legal.length > 0 && !(past.view?.legal.length > 0 && past.version === next.version))
        call(tr(title));
      ears.current.arrived(past, next, told.fresh);
    };
    const play = new Director({
      draw,
      beat(beat, scene, at) {
        look();
        if (scene && at < scene.drawn) {
          const log = untold(scene.told.state.log, scene.beats, at);
          latest.current = { ...latest.current, log };
          setState(latest.current);
        }
        if (beat && speed() !== "instant") sound(beat.kind);
        const fresh = beat && gained([beat]);
        setShown((one) => ({
          key: one.key + 1,
          beat,
          caption: beat?.caption ?? one.caption,
          held: !beat || beat.gathers ? null : one.held,
          gains: fresh?.size ? fresh : beat ? new Map() : one.gains,
        }));
      },
      speed,
      later: (act, ms) => setTimeout(act, ms),
      cancel: (timer) => clearTimeout(timer),
    });
    /** The speed now: nothing waits where nobody looks, and as plain text. */
    function speed() {
      const { speed, plain } = choices();
      return document.hidden || plain ? "instant" : speed;
    }
    director.current = play;
    Object.assign(globalThis, { cardtable: { director: play } });
    const unseen = () => document.hidden && play.skip();
    document.addEventListener("visibilitychange", unseen);

    let behind = ""; // what does not come
    let gone = false; // the connection
    /** Tell what is wrong, if it still is. @param {any} why @param {string} what */
    const wrong = (why, what = behind) => what === behind && setState((/** @type {any} */ s) => ({ ...s, late: why }));
    const open = new TableSocket(id, {
      state(m) {
        const past = received;
        const table = furnished(m.table);
        const first = m.since === 0;
        const fresh = first ? [] : m.happened;
        const before = first ? null : past.view;
        const told = [...lines(m.happened, table), ...seen(before, m.view, first ? m.happened.slice(-1) : fresh)];
        const log = first ? told : [...past.log, ...told].slice(-400);
        const said = [...fresh].reverse().find((one) => one.kind === "said" || one.kind === "reacted");
        received = { table, view: m.view, log };
        const begun = first
          ? m.happened.slice(-1).filter((/** @type {any} */ one) => BEGINS.includes(one.kind))
          : fresh;
        const over = table.stage === "between" || table.stage === "over";
        const opened = over && !first ? laidOpen(past.view, m.view, table.you) : [];
        const happened = beats(begun, table.seats.length, over);
        const shown = opened.length ? withHandsOpen(happened) : happened;
        const own = fresh.some((/** @type {any} */ one) => one.seat === table.you && one.by === "person");
        // where all play at once, everything is shown when it comes
        const anew = first || table.live || m.view?.deal !== past.view?.deal;
        play.push({
          beats: shown,
          drawn: anew ? 0 : drawnAt(shown, own),
          own: own || first || table.live,
          told: {
            state: { table, view: m.view, log, version: m.version, said },
            before: past.view,
            opened,
            past: { version: m.version, view: m.view, lines: lines(fresh, table) },
            fresh,
            first,
            trick: ended(past.view, m.view, fresh),
          },
        });
        shuffler.see(table).then((told) => setState((/** @type {any} */ s) => ({ ...s, ...told })));
      },
      refused(m, command) {
        if (["commit", "reveal"].includes(command?.type)) return; // too late: the match begins without this part
        // the page asked by itself: it asks again, or it no longer matters
        if (m.code === "message/rate" && !wonders.current) return;
        if (m.code === "table/missing" || (m.seq === 0 && !latest.current.table))
          return setState((/** @type {any} */ s) => ({ ...s, failed: written(refusal(m), {}, true) }));
        latest.current.sent = -1;
        setSent(-1);
        setWondering(false);
        setRefused({
          ...m,
          card: command?.type === "move" && isCard(command.move) ? command.move : "",
          key: Date.now(),
        });
        chime("no");
      },
      dismissed: (m) =>
        setState((/** @type {any} */ s) => ({ ...s, table: null, failed: written(refusal(m), {}, true) })),
      advice(m) {
        setWondering(false);
        if (latest.current.view?.legal.includes(m.move)) setAdvice(m); // the match may have gone on
      },
      foreseen(m) {
        setWondering(false);
        if (m.version === latest.current.version) setForeseen(m); // the match may have gone on
      },
      reviewed: (m) => setReviewed(m.review),
      because: (m) => ears.current.because(m),
      line(up) {
        if (up) setWondering(false); // what was asked before is not answered
        setState((/** @type {any} */ s) => ({ ...s, up }));
        if (up && gone) dispatchEvent(new CustomEvent("site")); // perhaps another server, after a restart
        gone = !up;
      },
      site: (seen) => dispatchEvent(new CustomEvent("site", { detail: seen })),
      late(what) {
        behind = what;
        if (what === "line") unconnected().then((why) => wrong(why, what));
        else wrong(what && UNANSWERED);
      },
      held(why) {
        latest.current = { ...latest.current, held: why }; // the next state may come before this one is drawn
        setState((/** @type {any} */ s) => ({ ...s, held: why }));
      },
    });
    const shuffler = new Shuffler((type, fields) => open.command(type, fields));
    socket.current = open;
    const settled = persist(
      () => get(`/api/tables/${encodeURIComponent(id)}`),
      ([told, error]) => {
        if (told) setCode(told.code);
        if (error?.status === 404)
          setState((/** @type {any} */ s) => ({
            ...s,
            failed: tr("There is no such table. Perhaps it was closed, or the address is not complete."),
          }));
      },
    );
    return () => {
      settled();
      open.close();
      play.close();
      document.removeEventListener("visibilitychange", unseen);
    };
  }, [id]);

  useLayoutEffect(() => {
    const { places: old, width } = before.current;
    if (felt.current && state.view && width === innerWidth) run(felt.current, state.view, old, shown.beat, shown.held);
  }, [state.version, shown.key, shown.held]);
  useEffect(() => {
    if (shown.beat) return undefined;
    const timer = setTimeout(() => setShown((one) => ({ ...one, gains: new Map() })), GAINS_STAY);
    return () => clearTimeout(timer);
  }, [shown.key]);

  useEffect(() => {
    if (!wondering) return undefined;
    const timer = setTimeout(() => setWondering(false), LONGEST_ANSWER);
    return () => clearTimeout(timer);
  }, [wondering]);

  const send = (/** @type {string} */ type, /** @type {any} */ fields = {}) => socket.current?.command(type, fields);
  return {
    state,
    latest, // the newest state: events may come before it is drawn
    turn: state.view?.legal.length > 0 && sent !== state.version,
    refused,
    setRefused,
    advice,
    setAdvice,
    wondering,
    shown,
    lastTrick,
    /** Whether something has happened that is not drawn yet. */
    behind: () => director.current?.behind ?? false,
    /** Show at once all that has happened. */
    skip: () => director.current?.skip(),
    code,
    ears,
    foreseen,
    /** Ask whether anything useful is left to do. */
    outlook() {
      setRefused(null);
      setAdvice(null);
      setForeseen(null);
      setWondering(true);
      socket.current?.say("outlook");
    },
    /** Ask whether the game can still be won, which looks at hidden cards. */
    winnable() {
      setRefused(null);
      setAdvice(null);
      setForeseen(null);
      setWondering(true);
      socket.current?.say("winnable");
    },
    review: {
      sheet: reviewed,
      /** Ask for the review of the deal that is over. */
      ask() {
        setReviewed((/** @type {any} */ one) => (one?.complete ? null : one));
        socket.current?.say("review");
      },
    },
    now: () => socket.current?.now() ?? Date.now(),
    send,
    say: (/** @type {string} */ type, /** @type {any} */ fields = {}) => socket.current?.say(type, fields),
    /** Ask for a hint; it takes the place of what was refused. */
    hint() {
      setRefused(null);
      setForeseen(null);
      setWondering(true);
      socket.current?.say("hint");
    },
    /** Send a move, unless one was sent already that has no answer yet. @param {string} move */
    move(move) {
      const { version } = latest.current;
      latest.current.sent = version;
      setSent(version);
      send("move", { move, at: version });
    },
  };
}
