/** A player's session at a table: the socket, and what it has told, ready to be shown. */
import { useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { get } from "./api.js";
import { captions } from "./caption.js";
import { isCard } from "./cards.js";
import { ended, furnished, gained } from "./changes.js";
import { call } from "./cue.js";
import { lines } from "./log.js";
import { refusal, tr, written } from "./message.js";
import { places, run } from "./motion.js";
import { remembered } from "./past.js";
import { Shuffler } from "./shuffle.js";
import { TableSocket } from "./socket.js";
import { chime } from "./sound.js";
import { choices } from "./store.js";

/** @typedef {import("./moves.js").Zone} Zone */

const BEGINS = ["started", "next-deal", "rematch"]; // happenings that are shown even to somebody who has just arrived

/**
 * @param {string} id of the table
 * @param {{current: HTMLElement | null}} felt
 * @param {(before: any, now: any, fresh: any[]) => void} arrived called when another state of the table is shown, with
 * what has happened since the one before
 */
export function useSession(id, felt, arrived) {
  const [state, setState] = useState(
    /** @type {any} */ ({ table: null, view: null, log: [], past: [], up: false, held: null, failed: "", sent: -1 }),
  );
  const [refused, setRefused] = useState(/** @type {any} */ (null));
  const [advice, setAdvice] = useState(/** @type {any} */ (null));
  const [news, setNews] = useState(
    /** @type {{key: number, captions: import("./message.js").Value[][]} | null} */ (null),
  ); // for the captions
  const [held, setHeld] = useState(/** @type {Zone | null} */ (null)); // a trick that stays on the table for a moment
  const [lastTrick, setLastTrick] = useState(/** @type {Zone | null} */ (null));
  // what each seat has just paid or received
  const [gains, setGains] = useState(/** @type {{key: number, gains: Map<number, number>} | null} */ (null));
  const [sent, setSent] = useState(-1); // the version at which an unanswered move was sent
  const [code, setCode] = useState("");
  const before = useRef(/** @type {any} */ ({ places: new Map(), width: 0, laid: new Map() }));
  const socket = useRef(/** @type {TableSocket | null} */ (null));
  const latest = useRef(state);
  latest.current = state;
  const ears = useRef({ arrived, because: /** @type {(m: any) => void} */ (() => undefined) });
  ears.current.arrived = arrived;

  useEffect(() => {
    const open = new TableSocket(id, {
      state(m) {
        const past = latest.current;
        const table = furnished(m.table);
        const fresh = m.since === 0 ? [] : m.happened;
        const laid = new Map();
        for (const one of fresh)
          for (const event of one.events ?? [])
            if (event.card && event.source !== null && event.source !== undefined) laid.set(event.card, event.source);
        if (felt.current) before.current = { places: places(felt.current), width: innerWidth, laid };
        const log = m.since === 0 ? lines(m.happened, table) : [...past.log, ...lines(fresh, table)].slice(-400);
        const trick = ended(past.view, m.view, fresh);
        if (trick) {
          setLastTrick(trick);
          const { speed } = choices();
          const wait = speed === "instant" ? 0 : speed === "fast" ? 600 : 1200;
          if (wait) {
            setHeld(trick);
            setTimeout(() => setHeld((one) => (one === trick ? null : one)), wait);
          }
        }
        const gains = gained(fresh);
        if (gains.size) {
          const shown = { key: m.version, gains };
          setGains(shown);
          setTimeout(() => setGains((/** @type {any} */ one) => (one === shown ? null : one)), 2200);
        }
        const said = [...fresh].reverse().find((one) => one.kind === "said");
        const seen = remembered(m.since === 0 ? [] : past.past, {
          version: m.version,
          view: m.view,
          lines: lines(fresh, table),
        });
        const next = { ...past, table, view: m.view, log, past: seen, up: true, version: m.version, said };
        latest.current = next;
        setState(next);
        shuffler.see(table).then((told) => setState((/** @type {any} */ s) => ({ ...s, ...told })));
        setAdvice(null);
        const begun =
          m.since === 0 ? m.happened.slice(-1).filter((/** @type {any} */ one) => BEGINS.includes(one.kind)) : fresh;
        const told = captions(begun, table.seats.length);
        if (told.length) setNews({ key: m.version, captions: told });
        if (fresh.some((/** @type {any} */ one) => one.seat === table.you)) setRefused(null);
        const turn = m.view?.legal.length > 0;
        if (turn && !(past.view?.legal.length > 0 && past.version === m.version)) call(tr(table.title));
        ears.current.arrived(past, next, fresh);
      },
      refused(m, command) {
        if (["commit", "reveal"].includes(command?.type)) return; // too late: the match begins without this part
        if (m.code === "table/missing" || (m.seq === 0 && !latest.current.table))
          return setState((/** @type {any} */ s) => ({ ...s, failed: written(refusal(m), {}, true) }));
        latest.current.sent = -1;
        setSent(-1);
        setRefused({
          ...m,
          card: command?.type === "move" && isCard(command.move) ? command.move : "",
          key: Date.now(),
        });
        chime("no");
      },
      dismissed: (m) =>
        setState((/** @type {any} */ s) => ({ ...s, table: null, failed: written(refusal(m), {}, true) })),
      advice: (m) => latest.current.view?.legal.includes(m.move) && setAdvice(m), // the match may have gone on
      because: (m) => ears.current.because(m),
      line: (up) => setState((/** @type {any} */ s) => ({ ...s, up })),
      held(why) {
        latest.current = { ...latest.current, held: why }; // the next state may come before this one is drawn
        setState((/** @type {any} */ s) => ({ ...s, held: why }));
      },
    });
    const shuffler = new Shuffler((type, fields) => open.command(type, fields));
    socket.current = open;
    get(`/api/tables/${encodeURIComponent(id)}`)
      .then((told) => setCode(told.code))
      .catch(
        (error) =>
          error.status === 404 &&
          setState((/** @type {any} */ s) => ({
            ...s,
            failed: tr("There is no such table. Perhaps it was closed, or the address is not complete."),
          })),
      );
    return () => open.close();
  }, [id]);

  useLayoutEffect(() => {
    const { places: old, width, laid } = before.current;
    if (felt.current && width === innerWidth) run(felt.current, old, laid);
  }, [state.version, held]);

  const send = (/** @type {string} */ type, /** @type {any} */ fields = {}) => socket.current?.command(type, fields);
  return {
    state,
    latest, // the newest state: events may come before it is drawn
    turn: state.view?.legal.length > 0 && sent !== state.version,
    refused,
    setRefused,
    advice,
    setAdvice,
    news,
    held,
    collect: () => setHeld(null),
    lastTrick,
    gains: gains?.gains ?? new Map(),
    code,
    ears,
    now: () => Date.now() + (socket.current?.skew ?? 0),
    send,
    say: (/** @type {string} */ type, /** @type {any} */ fields = {}) => socket.current?.say(type, fields),
    /** Send a move, unless one was sent already that has no answer yet. @param {string} move */
    move(move) {
      const { version } = latest.current;
      latest.current.sent = version;
      setSent(version);
      send("move", { move, at: version });
    },
  };
}
