/** What a player does at the table with clicks, keys and drags: cards are chosen, lifted and put, moves are made. */
import { useEffect, useRef, useState } from "../browser/html.js";
import { arrivedAt, changed, chipPut, chipsOn, clicked, due, lift, NOTHING_HELD, putting } from "./held.js";
import { movesAt, needsConfirm, offered, resolveMove } from "./moves.js";
import { chipDrags } from "./chipdrag.js";
import { clicks } from "./clicks.js";
import { drags } from "./drag.js";
import { keys } from "./keys.js";
import { chime } from "../motion/sound.js";
import { choices, choose } from "../browser/store.js";
import { seenByOthers, Thinking } from "./thinking.js";

/** @typedef {import("./moves.js").Zone} Zone */
/** @typedef {import("./held.js").Held} Held */
/** @typedef {import("./held.js").Step} Step */
/** @typedef {ReturnType<typeof import("../table/session.js").useSession>} Session */

/**
 * Make the only legal move automatically after a while, unless the player has taken a move back.
 * @param {Session} session @param {boolean} auto whether this is wanted @param {(move: string) => void} play
 */
function useOnlyMove({ state, latest, turn }, auto, play) {
  const { table, view } = state;
  const thinking = useRef(/** @type {Thinking | null} */ (null));
  thinking.current ??= new Thinking();
  const kept = useRef(false); // after taking back, the only legal move is not made automatically
  const seen = table !== null && seenByOthers(table);
  useEffect(() => {
    if (!auto || !turn || table?.live || view.legal.length !== 1 || kept.current) return undefined;
    const [only] = view.legal;
    const wait = thinking.current?.left(seen, performance.now());
    const timer = setTimeout(() => latest.current.version === state.version && play(only), wait);
    return () => clearTimeout(timer);
  }, [auto, turn, state.version, seen]);
  return {
    /** Other moves are legal now. @param {number} moves */
    offered: (moves) => thinking.current?.offered(moves, performance.now()),
    /** The player takes something back. */
    keep: () => void (kept.current = true),
    /** A move is sent. */
    sent() {
      kept.current = false;
      thinking.current?.sent(performance.now());
    },
  };
}

/**
 * Ways to make a move.
 * @param {Session} session @param {import("../browser/store.js").Choices} chose
 * @param {string} armed the move that was chosen once @param {(some: Partial<Held>) => void} hold
 */
function useMoves(session, chose, armed, hold) {
  const { latest } = session;
  const only = useOnlyMove(session, chose.auto, play);
  /**
   * Show all that has happened: nothing delays a player's own move. False if other moves are legal now than the player
   * saw.
   */
  const caughtUp = () => {
    const before = latest.current.view.legal.join();
    session.skip();
    return latest.current.view.legal.join() === before;
  };
  /** Make a move. @param {string} move */
  function play(move) {
    if (clicks.ignored || !caughtUp()) return;
    clicks.moves();
    hold({ chosen: [], ready: "", armed: "", lifted: null });
    session.setRefused(null);
    session.setAdvice(null);
    if (latest.current.sent === latest.current.version) return; // a second click before the answer to the first
    only.sent();
    session.move(move);
  }
  /** A move that is offered as a button; if it needs confirmation, ask first. @param {string} text */
  const offer = (text) => {
    if (clicks.ignored || !caughtUp()) return undefined;
    const { view: seen, table: here } = latest.current;
    const move = seen.choices.find((/** @type {any} */ one) => one.text === text);
    return chose.sure && armed !== text && needsConfirm(move, here) ? hold({ armed: text }) : play(text);
  };
  return { only, caughtUp, play, offer };
}

/**
 * Drags on the table, which is listened to once: `acts` are those of the latest drawing.
 * @param {{current: HTMLElement | null}} felt @param {Session["latest"]} latest
 * @param {{click: (zone: Zone, card: string) => void, play: (move: string) => void, take: (step: Step) => void,
 * hold: (some: Partial<Held>) => void, chipsOn: (name: string) => number, putChip: (name: string, by: number) => void,
 * you: number | null}} acts
 */
function useDrags(felt, latest, acts) {
  const now = useRef(acts);
  now.current = acts;
  useEffect(
    () =>
      chipDrags(
        felt,
        (name) => now.current.chipsOn(name) > 0,
        (from, onto) => {
          now.current.putChip(from, -1);
          now.current.putChip(onto, 1);
        },
      ),
    [],
  );
  useEffect(() => {
    /** @param {string} name @returns {Zone | undefined} */
    const find = (name) =>
      latest.current.view?.zones.find((/** @type {Zone} */ zone) =>
        name === "hand" ? zone.kind === "hand" && zone.seats[0] === now.current.you : zone.name === name,
      );
    /** @param {string} name @param {string} card */
    const may = (name, card) => {
      const zone = find(name);
      return zone?.kind === "hand" || (zone?.kind === "column" && movesAt(latest.current.view, zone, card).length > 0);
    };
    /** @param {string} name @param {string} card @param {string} onto @param {string} target */
    const drop = (name, card, onto, target) => {
      const { click, play, hold } = now.current;
      const from = find(name);
      const to = find(onto);
      if (!from || from === to) return hold({ lifted: null });
      if (from.kind === "column")
        return to?.kind === "column" ? play(putting(latest.current.view, from, card, to)) : hold({ lifted: null });
      hold({ chosen: [] });
      const moves = to && target ? resolveMove(latest.current.view, to, target, [card]) : [];
      return moves.length === 1 ? play(moves[0].text) : click(from, card);
    };
    return drags(felt, may, drop, (name, card) => {
      const zone = find(name);
      if (zone?.kind === "column") now.current.take(lift(latest.current.view, zone, card));
    });
  }, []);
}

/**
 * @param {{current: HTMLElement | null}} felt
 * @param {Session} session
 * @param {import("../browser/store.js").Choices} chose
 * @param {(window: string) => void} open
 */
export function useGestures(felt, session, chose, open) {
  const [held, setHeld] = useState(NOTHING_HELD);
  const { chosen, spread, ready, lifted, armed } = held;
  const { state, latest, setRefused } = session;
  const { table, view } = state;
  const you = table?.you ?? null;
  const hold = (/** @type {Partial<Held>} */ some) => setHeld((one) => changed(one, some));
  const { only, caughtUp, play, offer } = useMoves(session, chose, armed, hold);
  useEffect(() => {
    if (ready && view) setHeld((one) => due(one, view));
  }, [state.version]);

  /** Carry out the step that a click leads to. @param {Step} step */
  const take = ({ play: move, held: some, refused, chimes }) => {
    if (move !== undefined) return play(move);
    if (some) hold(some);
    if (chimes) chime("no");
    return refused !== undefined && setRefused(refused);
  };
  /** @param {Zone} zone @param {string} card @param {boolean} [on] whether the copy that was clicked is chosen */
  const click = (zone, card, on) => {
    if (clicks.ignored) return undefined;
    clicks.opens();
    if (!caughtUp()) return undefined;
    return take(clicked(latest.current.view, held, { zone, card, on }, { you, confirm: chose.confirm }));
  };
  const putChip = (/** @type {string} */ name, /** @type {number} */ by) =>
    setHeld((one) => chipPut(one, latest.current.view, name, by));
  // a key may arrive before the latest drawing has its listeners
  const mayNow = (/** @type {string} */ what) => latest.current.table?.may.includes(what);
  const hint = () => mayNow("hint") && session.hint();
  const undo = () => mayNow("undo") && session.send("undo");
  const drop = () => {
    hold({ chosen: [], ready: "", lifted: null, armed: "" });
    setRefused(null);
    session.skip();
  };
  const mute = () => choose({ sound: !choices().sound });
  useEffect(
    () =>
      keys(felt, latest, { hint, undo, skip: session.skip, open, play: offer, click, drop, mute }, () =>
        offered(latest.current.view ?? { zones: [], legal: [], choices: [] }, chosen, spread),
      ),
    [table?.may.join(), chosen.join(), chosen.length, spread, lifted, ready, armed, chose],
  );
  const on = (/** @type {string} */ name) => chipsOn(held, latest.current.view, name);
  useDrags(felt, latest, { click, play, take, hold, chipsOn: on, putChip, you });

  return {
    ...held,
    /** Another state of the table is shown. @param {any} before @param {any} now @param {any[]} fresh */
    arrived(before, now, fresh) {
      const others = now.view?.legal.join() !== before.view?.legal.join();
      setHeld((one) => arrivedAt(one, others));
      if (others) only.offered(now.view?.legal.length ?? 0);
      if (fresh.some((one) => one.kind === "undone" && one.seat === now.table.you)) only.keep();
    },
    putBack: () => hold({ chosen: [] }),
    putChip,
    play,
    offer,
    click,
    hint,
    undo,
    /** Moves to offer as buttons. */
    offers: view ? offered(view, chosen, spread) : [],
  };
}
