/** What a player does at the table with clicks, keys and drags: cards are chosen, lifted and put, moves are made. */
import { useEffect, useLayoutEffect, useRef, useState } from "../browser/html.js";
import { arrivedAt, changed, chipPut, chipsOn, clicked, due, lift, NOTHING_HELD, putDown, putting } from "./held.js";
import { movesAt, needsConfirm, offered, togetherIn } from "./moves.js";
import { chipDrags } from "./chipdrag.js";
import { clicks } from "./clicks.js";
import { drags } from "./drag.js";
import { keys, useFocus } from "./keys.js";
import { isCard } from "../faces/cards.js";
import { chime } from "../motion/sound.js";
import { choices, choose } from "../browser/store.js";
import { usePointing } from "./pointing.js";
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
 * Raise the cards of a move that was sent, until the server has answered.
 * @param {{current: HTMLElement | null}} felt @param {Session} session
 */
function useSent(felt, { waits, latest }) {
  useEffect(() => {
    const move = latest.current.view?.choices.find((/** @type {any} */ one) => one.text === waits);
    const cards = move ? (move.cards ?? []).slice(0, 1) : waits.split(" ").filter(isCard);
    const raised = cards.map((/** @type {string} */ card) =>
      felt.current?.querySelector(`:is(.hand, .column) [data-card="${card}"]`),
    );
    for (const el of raised) el?.classList.add("sent");
    return () => raised.forEach((/** @type {Element} */ el) => el?.classList.remove("sent"));
  }, [waits]);
}

/**
 * Drags on the table, which is listened to once: `acts` are those of the latest drawing.
 * @param {{current: HTMLElement | null}} felt @param {Session["latest"]} latest @param {boolean} stays whether a card
 * that was put down stays there
 * @param {{click: (zone: Zone, card: string, on?: boolean, begun?: Held) => void, play: (move: string) => void, take:
 * (step: Step) => void,
 * hold: (some: Partial<Held>) => void, chipsOn: (name: string) => number, putChip: (name: string, by: number) => void,
 * you: number | null}} acts
 */
function useDrags(felt, latest, stays, acts) {
  const letGo = useRef(() => {});
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
      return zone?.kind === "hand" || (zone !== undefined && movesAt(latest.current.view, zone, card).length > 0);
    };
    /** @param {string} name @param {string} card @param {string} onto @param {string} target @param {DOMRect} at */
    const drop = (name, card, onto, target, at) => {
      const { click, play, hold, take } = now.current;
      const { view } = latest.current;
      const from = find(name);
      const to = find(onto);
      if (!from || from === to) hold({ lifted: null, ...(togetherIn(view) ? {} : { chosen: [] }) });
      else if (from.kind === "column")
        if (to?.kind === "column") play(putting(view, from, card, to));
        else hold({ lifted: null });
      else {
        const step = putDown(view, { from, card, to, target }, at);
        if (step) take(step);
        else {
          hold({ chosen: [] });
          click(from, card, undefined, NOTHING_HELD);
        }
        if (step?.held) return true;
      }
      const { sent, version } = latest.current;
      return sent === version; // until the answer
    };
    const { stop, ...dragged } = drags(felt, may, drop, (name, card) => {
      const zone = find(name);
      const { view } = latest.current;
      // without a card or a column to go to, it may go anywhere on the table
      const moves = zone && zone.kind !== "column" ? movesAt(view, zone, card) : [];
      const alone = moves.some((move) => (move.cards?.length ?? 0) < 2);
      felt.current?.toggleAttribute("data-anywhere", alone);
      if (zone?.kind === "column") now.current.take(lift(view, zone, card));
      // what it may go to is lit while it is in the air
      else now.current.hold({ aloft: view.legal.length && !togetherIn(view) ? card : "" });
    });
    letGo.current = dragged.letGo;
    return stop;
  }, []);
  useLayoutEffect(() => {
    if (!stays) letGo.current();
  }, [stays]);
}

/**
 * @param {{current: HTMLElement | null}} felt
 * @param {Session} session
 * @param {import("../browser/store.js").Choices} chose
 * @param {(window: string) => void} open
 */
export function useGestures(felt, session, chose, open) {
  const [held, setHeld] = useState(NOTHING_HELD);
  const { chosen, spread, ready, armed, aloft } = held;
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
    // what was refused before does not concern another choice
    return (refused !== undefined || some) && setRefused(refused ?? null);
  };
  /**
   * @param {Zone} zone @param {string} card @param {boolean} [on] whether the copy that was clicked is chosen
   * @param {Held} [begun] what is held
   */
  const click = (zone, card, on, begun = held) => {
    if (clicks.ignored) return undefined;
    clicks.opens();
    if (!caughtUp()) return undefined;
    return take(clicked(latest.current.view, begun, { zone, card, on }, { you, confirm: chose.confirm }));
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
  const onward = () => /** @type {HTMLElement | null} */ (felt.current?.querySelector("[data-onward]"))?.click();
  useSent(felt, session);
  const picked = aloft ? [aloft] : chosen;
  usePointing(felt, view, picked, session.turn);
  useFocus(felt, session.turn, ["between", "over"].includes(table?.stage) && !session.shown.beat);
  // keys are listened to once: one that comes before the latest drawing is not lost
  const acts = useRef(/** @type {any} */ (null));
  acts.current = { hint, undo, skip: session.skip, open, play: offer, click, drop, mute, onward };
  acts.current.offers = () => offered(latest.current.view ?? { zones: [], legal: [], choices: [] }, chosen, spread);
  useEffect(() => keys(felt, latest, acts), []);
  const on = (/** @type {string} */ name) => chipsOn(held, latest.current.view, name);
  const stays = held.dropped !== null || session.waits !== "";
  useDrags(felt, latest, stays, { click, play, take, hold, chipsOn: on, putChip, you });

  return {
    ...held,
    /** The cards that are chosen, or the one in the air. */
    picked,
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
