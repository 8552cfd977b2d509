/** What a player does at the table with clicks, keys and drags: cards are chosen, lifted and put, moves are made. */
import { useEffect, useRef, useState } from "./html.js";
import { gesture, movesAt, needsConfirm, offered, resolveMove, spreadIn, toggled } from "./moves.js";
import { chipDrags } from "./chipdrag.js";
import { clicks } from "./clicks.js";
import { drags } from "./drag.js";
import { keys } from "./keys.js";
import { chime } from "./sound.js";
import { choices, choose } from "./store.js";
import { seenByOthers, Thinking } from "./thinking.js";

/** @typedef {import("./moves.js").Zone} Zone */

/**
 * @param {{current: HTMLElement | null}} felt
 * @param {ReturnType<typeof import("./session.js").useSession>} session
 * @param {import("./store.js").Choices} chose
 * @param {(window: string) => void} open
 */
export function useGestures(felt, session, chose, open) {
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  // the chips that are being put down, for each zone
  const [spread, setSpread] = useState(/** @type {number[] | null} */ (null));
  const [ready, setReady] = useState(""); // a card chosen before the player's turn
  const [lifted, setLifted] = useState(/** @type {import("./moves.js").Lifted | null} */ (null));
  const [armed, setArmed] = useState(""); // a move that needs confirmation and was chosen once
  const thinking = useRef(/** @type {Thinking | null} */ (null));
  thinking.current ??= new Thinking();
  const kept = useRef(false); // after taking back, the only legal move is not made automatically
  const { state, latest, turn, setRefused } = session;
  const { table, view } = state;
  const you = table?.you ?? null;
  const seen = table !== null && seenByOthers(table);

  /** Another state of the table is shown. @param {any} before @param {any} now @param {any[]} fresh */
  const arrived = (before, now, fresh) => {
    setArmed("");
    setLifted(null);
    if (now.view?.legal.join() !== before.view?.legal.join()) {
      setChosen([]);
      setSpread(null);
      thinking.current?.offered(now.view?.legal.length ?? 0, performance.now());
    }
    if (fresh.some((one) => one.kind === "undone" && one.seat === now.table.you)) kept.current = true;
  };
  useEffect(() => {
    if (!ready || !view) return;
    if (!view.hand.includes(ready)) setReady("");
    else if (view.legal.length)
      setChosen((cards) =>
        cards.length || !view.legal.some((/** @type {string} */ move) => move.startsWith(ready)) ? cards : [ready],
      );
  }, [state.version]);
  useEffect(() => {
    if (!chose.auto || !turn || table?.live || view.legal.length !== 1 || kept.current) return undefined;
    const [only] = view.legal;
    const wait = thinking.current?.left(seen, performance.now());
    const timer = setTimeout(() => latest.current.version === state.version && play(only), wait);
    return () => clearTimeout(timer);
  }, [chose.auto, turn, state.version, seen]);

  /**
   * Show all that has happened: nothing delays a player's own move. False if other moves are legal now than those that
   * the player saw.
   */
  const caughtUp = () => {
    const before = latest.current.view.legal.join();
    session.skip();
    return latest.current.view.legal.join() === before;
  };
  const play = (/** @type {string} */ move) => {
    if (clicks.ignored || !caughtUp()) return;
    clicks.moves();
    setChosen([]);
    setReady("");
    setArmed("");
    setLifted(null);
    setRefused(null);
    session.setAdvice(null);
    if (latest.current.sent === latest.current.version) return; // a second click before the answer to the first
    kept.current = false;
    thinking.current?.sent(performance.now());
    session.move(move);
  };
  /** A move that is offered as a button; if it needs confirmation, ask first. */
  const offer = (/** @type {string} */ move) => {
    if (clicks.ignored || !caughtUp()) return undefined;
    const { view: seen, table: here } = latest.current;
    if (
      !chose.sure ||
      armed === move ||
      !needsConfirm(
        seen.choices.find((/** @type {any} */ one) => one.text === move),
        here,
      )
    )
      return play(move);
    return setArmed(move);
  };
  const lift = (/** @type {Zone} */ zone, /** @type {string} */ card) => {
    setRefused(null);
    setLifted({
      zone: zone.name,
      card,
      goals: movesAt(latest.current.view, zone, card).map((move) => move.target ?? ""),
    });
  };
  /** Move cards of a column onto another one. */
  const put = (/** @type {Zone} */ from, /** @type {string} */ card, /** @type {Zone} */ onto) => {
    play(
      movesAt(latest.current.view, from, card).find((move) => move.target === onto.name)?.text ??
        gesture(from, card, onto),
    ); // the server says why not
  };
  const inColumn = (/** @type {Zone} */ zone, /** @type {string} */ card) => {
    const from = lifted && latest.current.view.zones.find((/** @type {Zone} */ one) => one.name === lifted.zone);
    const moves = card ? movesAt(latest.current.view, zone, card) : [];
    if (lifted && from && from !== zone && (lifted.goals.includes(zone.name) || !moves.length))
      return put(from, lifted.card, zone);
    if (lifted && from === zone && card === lifted.card) return play(moves[0].text);
    if (moves.length === 1) return play(moves[0].text);
    if (moves.length) return lift(zone, card);
    setLifted(null);
    if (!card) return undefined;
    chime("no");
    return setRefused({ what: { says: "{card} has no place to go now", card: { card } }, why: "", rule: "", card });
  };
  /** Add a card to those chosen together, or take it out. */
  const toggle = (
    /** @type {import("./moves.js").Together} */ set,
    /** @type {string} */ card,
    /** @type {boolean | undefined} */ on,
  ) => {
    const now = toggled(set, chosen, card, on);
    setRefused(
      now.length > set.most
        ? {
            what: { says: "no more than {n} {n:card|cards}", n: set.most },
            why: { says: "put one back first" },
            rule: "",
            card,
          }
        : null,
    );
    if (now.length <= set.most) setChosen(now);
  };
  /** Put a chip on a zone (1), or take one back (-1). */
  const putChip = (/** @type {string} */ name, /** @type {number} */ by) => {
    const all = spreadIn(latest.current.view);
    if (all) setSpread((chips) => (chips ?? all.start).map((n, i) => (all.on[i] === name ? n + by : n)));
  };
  const click = (
    /** @type {Zone} */ zone,
    /** @type {string} */ card,
    /** @type {boolean | undefined} */ on = undefined,
  ) => {
    if (clicks.ignored) return undefined;
    clicks.opens();
    if (!caughtUp()) return undefined;
    const seen = latest.current.view;
    const set = seen.legal.length ? zone.together : null;
    if (set?.cards.includes(card)) return toggle(set, card, on);
    if (zone.kind === "column") return inColumn(zone, card);
    if (!card) {
      const [move] = movesAt(seen, zone, "");
      return move && play(move.text);
    }
    if (chosen.includes(card)) {
      const twice = chosen.length === 1 ? resolveMove(seen, zone, card, []) : [];
      return twice.length === 1 && (chosen[0] === ready || chose.confirm)
        ? play(twice[0].text)
        : setChosen(chosen.filter((one) => one !== card));
    }
    if (!seen.legal.length && seen.actors.length && zone.kind === "hand" && zone.seats[0] === you) {
      setRefused(null); // chosen for the coming turn: never played automatically
      return setReady(ready === card ? "" : card);
    }
    const moves = resolveMove(seen, zone, card, chosen);
    if (moves.length === 1)
      return chose.confirm && !chosen.length && zone.kind === "hand" ? setChosen([card]) : play(moves[0].text);
    if (moves.length > 1) return setChosen([...chosen, card]);
    const alone = resolveMove(seen, zone, card, []);
    if (alone.length === 1) return play(alone[0].text);
    if (alone.length > 1) return setChosen([card]);
    if (zone.kind === "hand" && zone.seats[0] === you) play(card); // the server says why not
    return undefined;
  };
  const mayNow = (/** @type {string} */ what) => latest.current.table?.may.includes(what);
  // a key may arrive before the latest drawing has its listeners
  const hint = () => mayNow("hint") && session.hint();
  const undo = () => mayNow("undo") && session.send("undo");
  const drop = () => {
    setChosen([]);
    setReady("");
    setLifted(null);
    setArmed("");
    setRefused(null);
    session.skip();
  };
  useEffect(
    () =>
      keys(
        felt,
        latest,
        {
          hint,
          undo,
          skip: session.skip,
          open,
          play: offer,
          click,
          drop,
          mute: () => choose({ sound: !choices().sound }),
        },
        () => offered(latest.current.view ?? { zones: [], legal: [], choices: [] }, chosen, spread),
      ),
    [table?.may.join(), chosen.join(), chosen.length, spread, lifted, ready, armed, chose],
  );
  const dragged = useRef(/** @type {any} */ (null));
  dragged.current = {
    find: (/** @type {string} */ name) =>
      latest.current.view?.zones.find((/** @type {Zone} */ zone) =>
        name === "hand" ? zone.kind === "hand" && zone.seats[0] === you : zone.name === name,
      ),
    click,
    lift,
    put,
    play,
    /** How many chips of the player are on a zone. */
    chipsOn(/** @type {string} */ name) {
      const all = spreadIn(latest.current.view);
      return all ? ((spread ?? all.start)[all.on.indexOf(name)] ?? 0) : 0;
    },
    putChip,
  };
  useEffect(
    () =>
      chipDrags(
        felt,
        (name) => dragged.current.chipsOn(name) > 0,
        (from, onto) => {
          dragged.current.putChip(from, -1);
          dragged.current.putChip(onto, 1);
        },
      ),
    [],
  );
  useEffect(() => {
    const find = (/** @type {string} */ name) => dragged.current.find(name);
    return drags(
      felt,
      (name, card) => {
        const zone = find(name);
        return (
          zone?.kind === "hand" || (zone?.kind === "column" && movesAt(latest.current.view, zone, card).length > 0)
        );
      },
      (name, card, onto, target) => {
        const from = find(name);
        const to = find(onto);
        if (!from || from === to) return setLifted(null);
        if (from.kind === "column")
          return to?.kind === "column" ? dragged.current.put(from, card, to) : setLifted(null);
        setChosen([]);
        const moves = to && target ? resolveMove(latest.current.view, to, target, [card]) : [];
        return moves.length === 1 ? dragged.current.play(moves[0].text) : dragged.current.click(from, card);
      },
      (name, card) => find(name)?.kind === "column" && dragged.current.lift(find(name), card),
    );
  }, []);

  return {
    arrived,
    chosen,
    putBack: () => setChosen([]),
    spread,
    putChip,
    ready,
    lifted,
    armed,
    play,
    offer,
    click,
    hint,
    undo,
    /** Moves to offer as buttons. */
    offers: view ? offered(view, chosen, spread) : [],
  };
}
