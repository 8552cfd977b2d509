/**
 * Motion by beat: the table is drawn at once, and then each card is moved from its old place to its new one; what has
 * left the table flies away over it. Only transforms and opacity change, and nothing waits for it.
 */
import { html, render } from "../browser/html.js";
import { Card } from "../faces/cards.js";
import { paced } from "../browser/store.js";

/** @typedef {import("./beats.js").Beat} Beat */
/** @typedef {import("../hand/moves.js").Zone} Zone */
/** `spot`: its card, zone and number there @typedef {{card: string, zone: string, spot: string, box: DOMRect, el:
 * HTMLElement}} Laid */
/** @typedef {Map<string, DOMRect> & {all: Laid[]}} Places */
/** @typedef {{left: number, top: number, width: number, height: number}} Box */

// ms of a card's way
const MOVE = 240;
// ms of something that flies over the table
const FLIGHT = 420;
const EASE = "cubic-bezier(.2,.7,.3,1)";
const AWAY = "cubic-bezier(.5,0,.75,.4)";
// ms in which cards gather and go
const GATHER = 850;
// ms in which a card of a sunk ship goes down
const SINKS = 800;
// ms from one of them to the next
const SINK_STEP = 14;
// ms from one knock to the next
const KNOCK = 140;
// cards face down that fly
const MOST_BACKS = 5;
// cards shown together in the middle
const MOST_SHOWN = 8;
// chips that fly for one payment
const MOST_CHIPS = 6;
// ms within which the cards of a deal leave the pack
const DEALING = 620;
// beats whose cards leave the table
const GATHERING = ["capture", "trick", "removed", "sunk"];
// ms in which a card of a hand moves to its place in the fan
const FANS = 420;
// ms from one of them to the next
const FAN_STEP = 22;
// marks that rise for a winner
const SPARKS = 22;
// and for a winner who is somebody else
const FEW_SPARKS = 8;

/** Cards that move, and their places at the end. @type {Map<Element, {move: Animation, to: DOMRect}>} */
const moving = new Map();

/** Where nothing is drawn yet. @type {Places} */
export const NOWHERE = Object.assign(new Map(), { all: [] });

/**
 * The places of the cards under root: a map of the unique ones, and a list of all.
 * @param {Element} root @returns {Places}
 */
export function places(root) {
  /** @type {Map<string, DOMRect>} */
  const once = new Map();
  /** @type {Laid[]} */
  const all = [];
  if (!paced(1)) return Object.assign(once, { all });
  const doubled = new Set();
  const counts = new Map(); // cards of each zone so far
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-card]"))) {
    const card = el.dataset.card ?? "";
    const zone = /** @type {HTMLElement | null} */ (el.closest("[data-zone]"))?.dataset.zone ?? "";
    const at = counts.get(zone) ?? 0;
    counts.set(zone, at + 1);
    const box = el.getBoundingClientRect();
    // what is not drawn has no place
    if (!box.width) continue;
    if (once.has(card)) doubled.add(card);
    once.set(card, box);
    all.push({ card, zone, spot: `${card} ${zone} ${at}`, box, el });
  }
  for (const card of doubled) once.delete(card);
  return Object.assign(once, { all });
}

/**
 * What has become of cards that were or are there several times, or are gone: what lies where it lay has not moved, and
 * the others of a kind are paired in order. `left` has what is no longer on the table.
 * @param {Places} before @param {Places} now @param {(one: Laid) => boolean} new_ cards that were not there before
 */
function paired(before, now, new_) {
  const single = (/** @type {Laid} */ one) => before.has(one.card) && now.has(one.card) && !new_(one);
  const lies = new Set(now.all.filter((one) => !new_(one)).map((one) => one.spot));
  const lay = new Set(before.all.map((one) => one.spot));
  const left = before.all.filter((one) => !single(one) && !lies.has(one.spot));
  /** @type {[Laid, Laid][]} */
  const pairs = [];
  for (const one of now.all) {
    if (single(one) || new_(one) || lay.has(one.spot)) continue;
    const at = left.findIndex((old) => old.card === one.card);
    if (at >= 0) pairs.push([left.splice(at, 1)[0], one]);
  }
  return { pairs, left };
}

/** @param {Box} box */
const size = ({ width, height }) => ({ width, height });

/** @param {Box} box */
const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];

/** Where parts of the table are. @param {Element} root @param {{zones: Zone[]}} view */
function whereabouts(root, view) {
  const box = (/** @type {Element | null | undefined} */ el) => {
    const found = el?.getBoundingClientRect();
    return found?.width ? found : null;
  };
  const zone = (/** @type {Zone | undefined} */ one) =>
    one ? box(root.querySelector(`[data-zone="${CSS.escape(one.name)}"]`)) : null;
  const seat = (/** @type {number | null} */ one) =>
    one === null ? null : box(root.querySelector(`.seat[data-seat="${one}"]`));
  const zones = (/** @type {string} */ kind) => view.zones.filter((each) => each.kind === kind);
  return {
    seat,
    /** Where a seat's captured cards lie. @param {number | null} one */
    pile: (one) =>
      zone(view.zones.find((each) => each.kind === "pile" && one !== null && each.seats.includes(one))) ?? seat(one),
    /** The stock: a seat's own, if it has one. @param {number | null} one */
    stock: (one) =>
      zone(zones("stock").find((each) => one !== null && each.seats.includes(one))) ??
      zone(zones("stock").find((each) => !each.seats.length)),
    /** The chips on a card, or the pot. @param {string | null} card */
    pot: (card) =>
      zone(zones("pot").find((each) => card && each.on?.includes(card))) ??
      zone(zones("pot").find((each) => !each.on)) ??
      box(root.querySelector(".board")),
    /** Whether a zone is what a player has captured. @param {string} name */
    won: (name) => zones("pile").some((each) => each.won && each.name === name),
    /** A pile without an owner. */
    heap: () => zone(zones("pile").find((each) => !each.seats.length)),
    board: () => box(root.querySelector(".board")),
  };
}

/** The layer over the table in which things fly: nothing clips it. */
function layer() {
  const found = document.querySelector("body > .flights");
  if (found) return found;
  const made = document.createElement("div");
  made.className = "flights";
  made.setAttribute("aria-hidden", "true");
  return document.body.appendChild(made);
}

/**
 * Let something fly over the table, and take it away afterwards.
 * @param {Element} el @param {Box} at its place and size @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} timing
 */
function fly(el, at, frames, timing) {
  Object.assign(/** @type {HTMLElement} */ (el).style, {
    left: `${at.left}px`,
    top: `${at.top}px`,
    width: `${at.width}px`,
    height: `${at.height}px`,
  });
  layer().append(el);
  const flight = el.animate(frames, { easing: EASE, fill: "both", ...timing });
  flight.onfinish = flight.oncancel = () => el.remove();
}

/** @param {string} name */
function made(name) {
  const el = document.createElement("span");
  el.className = name;
  return el;
}

/** A card that only flies. @param {string | null} card @param {Box} at */
function ghost(card, at) {
  const el = made("flight");
  el.style.setProperty("--w", `${at.width}px`);
  render(html`<${Card} card=${card} still />`, el);
  return el;
}

/** How far it is from one place to another. @param {Box} from @param {Box} to */
function way(from, to) {
  const [x, y] = middle(from);
  const [x2, y2] = middle(to);
  return `${x2 - x}px ${y2 - y}px`;
}

/** A light round something. @param {Box | null} at @param {number} ms */
function glow(at, ms) {
  if (!at || !paced(ms)) return;
  const frames = [{ opacity: 0 }, { opacity: 1, offset: 0.25 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }];
  fly(made("halo"), at, frames, { duration: paced(ms), easing: "linear" });
}

/**
 * Where a card that has just appeared came from.
 * @param {Beat | null} beat @param {string} card @param {ReturnType<typeof whereabouts>} where
 */
function origin(beat, card, where) {
  const event = beat?.events.find((one) => one.card === card);
  if (!beat) return null;
  if (beat.kind === "deal") return where.stock(beat.seat) ?? where.seat(beat.seat) ?? where.board();
  if (beat.kind === "draw" || beat.kind === "flip") return where.stock(beat.seat);
  return event ? where.seat(event.source) : null;
}

/**
 * The places of the cards under root when nothing moves any more. A card that moves to the place where it is now
 * continues; the others' moves end, so that no card has two (which the compositor would leave to the page to draw).
 * @param {Element} root
 */
function settled(root) {
  const running = [...moving];
  const times = running.map(([, { move }]) => move.currentTime);
  for (const [, { move }] of running) move.cancel();
  moving.clear();
  const now = places(root);
  const boxes = new Map(now.all.map(({ el, box }) => [/** @type {Element} */ (el), box]));
  /** @type {Set<Element>} */
  const going = new Set();
  running.forEach(([el, { move, to }], i) => {
    const box = boxes.get(el);
    if (!box || Math.abs(box.left - to.left) + Math.abs(box.top - to.top) > 1) return;
    move.play();
    move.currentTime = times[i];
    moving.set(el, { move, to });
    going.add(el);
  });
  return { now, going };
}

/**
 * Move a card of the table.
 * @param {Element} el @param {DOMRect} to its place at the end @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} timing
 */
function moves(el, to, frames, timing) {
  const move = el.animate(frames, timing);
  moving.set(el, { move, to });
  move.onfinish = () => moving.get(el)?.move === move && moving.delete(el);
}

/**
 * Move the cards under root from their old places; return the cards that are gone.
 * @param {Element} root @param {Places} before @param {Beat | null} beat @param {ReturnType<typeof whereabouts>} where
 */
function moved(root, before, beat, where) {
  const { now, going } = settled(root);
  const dealt = beat?.kind === "deal";
  const named = beat?.events.some((one) => one.card); // only these cards are dealt
  const anew = dealt && !named;
  // the king of a run that is removed is turned up on the heap of runs when they have all come there
  const topped = (/** @type {Laid} */ one) => beat?.kind === "removed" && !one.el.closest(".column");
  const { pairs, left } = paired(before, now, topped);
  const were = new Set(before.all.map((one) => one.card));
  let k = 0;
  for (const one of now.all) {
    const { card, el, box: to } = one;
    if (!now.has(card) || topped(one) || going.has(el)) continue;
    const old = anew ? undefined : before.get(card);
    if (!old && !anew && were.has(card)) continue; // one of several
    const from = old ?? origin(beat, card, where);
    if (!to.width) continue;
    if (beat?.kind === "open" && !old) {
      fannedOut(el, to);
      continue;
    }
    const turned = beat?.events.some((one) => one.card === card) && ["flip", "reveal"].includes(beat.kind);
    if (turned && !old) {
      moves(el, to, [{ scale: "0.05 1" }, { scale: "1 1" }], { duration: paced(MOVE), easing: "ease-out" });
      continue;
    }
    if (from) slid(el, from, to, !old, dealt ? (DEALING * k++) / now.size : 0);
  }
  if (!anew) for (const [old, one] of pairs) if (!going.has(one.el)) slid(one.el, old.box, one.box, false, 0);
  for (const one of now.all)
    if (topped(one) && !before.all.some((old) => old.spot === one.spot))
      moves(one.el, one.box, [{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }], {
        duration: paced(GATHER),
      });
  return { now, gone: left };
}

/**
 * Move a card to its place from another.
 * @param {Element} el @param {Box} from @param {DOMRect} to @param {boolean} appears it was not seen before
 * @param {number} delay ms at normal speed
 */
function slid(el, from, to, appears, delay) {
  const [x, y] = way(to, from).split(" ").map(parseFloat);
  if (!to.width || Math.abs(x) + Math.abs(y) < 6) return;
  moves(
    el,
    to,
    [
      {
        translate: `${x}px ${y}px`,
        scale: appears ? 0.5 : from.width / to.width,
        opacity: appears ? (delay ? 0 : 0.4) : 1,
        zIndex: 5,
      },
      { translate: "none", scale: 1, opacity: 1, zIndex: 5 },
    ],
    { duration: paced(MOVE), delay: paced(delay), easing: EASE, fill: "backwards" },
  );
}

/**
 * A card of a hand that is laid open: all of them come out of its first one.
 * @param {Element} el @param {DOMRect} to
 */
function fannedOut(el, to) {
  const first = el.parentElement?.firstElementChild?.getBoundingClientRect() ?? to;
  const at = [...(el.parentElement?.children ?? [])].indexOf(el);
  moves(
    el,
    to,
    [
      { translate: way(to, first), rotate: "-24deg", opacity: 0 },
      { translate: way(to, first), rotate: "-24deg", opacity: 1, offset: 0.25 },
      { translate: "none", rotate: "none", opacity: 1 },
    ],
    { duration: paced(FANS), delay: paced(FAN_STEP * at), easing: EASE, fill: "backwards" },
  );
}

/**
 * Cards that were on the table and are gone: they gather, and go to the player who has taken them.
 * @param {Element} root @param {Laid[]} left cards that are gone @param {Places} before @param {Places} now
 * @param {Beat} beat @param {ReturnType<typeof whereabouts>} where
 */
function gathered(root, left, before, now, beat, where) {
  const taken = beat.kind === "capture" || beat.kind === "trick";
  const goal = taken ? where.pile(beat.seat) : where.heap();
  const seats = [...root.querySelectorAll(".seat")].map((el) => el.getBoundingClientRect());
  // what lay at a seat, or across a captured pile, was not on the table
  let gone = left.filter(({ box, zone }) => !where.won(zone) && !seats.some((seat) => within(box, seat)));
  // a card from a hand moves to the table first; one that makes a run complete goes to the others
  const laid = beat.events.find((one) => one.card && (one.beat || one.kind) === "play")?.card ?? "";
  const first = beat.events.find((one) => one.card && one.beat === "removed")?.card;
  const base = gone.find((one) => one.card === first) ?? gone.find((one) => one.card !== laid);
  if (!base) return goal && beat.kind === "capture" ? unseen(beat, goal, where) : undefined;
  if (first) gone = [...gone.filter((one) => one.zone === base.zone), ...gone.filter((one) => one.zone !== base.zone)];
  const spot = base.box;
  const hand = taken && laid && !now.has(laid) && !before.has(laid) ? where.seat(beat.seat) : null;
  /** @type {{card: string, box: Box}[]} */
  const all = hand ? [...gone, { card: laid, box: { left: hand.left, top: hand.top, ...size(spot) } }] : gone;
  const apart = beat.kind === "removed" ? [0, 1.5] : [5, 4]; // px between gathered cards
  all.forEach(({ card, box: from }, i) => {
    if (beat.kind === "sunk") return sunk(card, from, i, goal);
    const [x, y] = way(from, spot).split(" ");
    const near = `calc(${x} + ${i * apart[0]}px) calc(${y} + ${i * apart[1]}px)`;
    const end = goal
      ? { translate: way(from, goal), scale: goal.width && !taken ? Math.min(1, goal.width / from.width) : 0.35 }
      : { translate: "0 -80px", scale: 0.4 };
    const gathers = beat.kind !== "trick";
    const frames = gathers
      ? [
          { translate: "0 0", scale: 1 },
          { translate: near, scale: spot.width / from.width, offset: 0.45 },
          { translate: near, scale: spot.width / from.width, offset: 0.62, easing: AWAY },
          { opacity: 1, offset: taken ? 0.88 : 0.96 },
          { ...end, opacity: 0 },
        ]
      : [
          { translate: "0 0", scale: 1 },
          { opacity: 1, offset: 0.75 },
          { ...end, opacity: 0 },
        ];
    const timing = gathers
      ? { duration: paced(GATHER), easing: EASE }
      : { duration: paced(FLIGHT), delay: paced(18 * i), easing: AWAY };
    return fly(ghost(card, from), from, frames, timing);
  });
}

/**
 * A card of a ship that sinks: it heels over to one side, goes down, and lies with the sunk ones in the end.
 * @param {string} card @param {Box} from @param {number} i its number @param {Box | null} heap where sunk cards lie
 */
function sunk(card, from, i, heap) {
  const side = i % 2 ? 1 : -1;
  const down = from.height * 0.7;
  const end = heap ? { translate: way(from, heap), scale: 0.5 } : { translate: `0 ${down * 1.6}px`, scale: 0.8 };
  const frames = [
    { translate: "0 0", rotate: "0deg", scale: 1, easing: "ease-in-out" },
    { translate: `${side * 3}px ${down * 0.15}px`, rotate: `${side * 9}deg`, offset: 0.25, easing: "ease-in" },
    { translate: `${side * 8}px ${down}px`, rotate: `${side * 26}deg`, scale: 0.92, opacity: 1, offset: 0.6 },
    { ...end, rotate: `${side * 50}deg`, opacity: 0 },
  ];
  fly(ghost(card, from), from, frames, { duration: paced(SINKS), delay: paced(SINK_STEP * i), easing: AWAY });
}

/** @param {Box} box @param {Box} outer */
function within(box, outer) {
  const [x, y] = middle(box);
  return x > outer.left && x < outer.left + outer.width && y > outer.top && y < outer.top + outer.height;
}

/**
 * Cards face down, of which only the number is known, go to the player who takes them.
 * @param {Beat} beat @param {Box} goal @param {ReturnType<typeof whereabouts>} where
 */
function unseen(beat, goal, where) {
  const from = where.heap() ?? where.board();
  const many = beat.events.find((one) => one.amount)?.amount ?? 1;
  for (let i = 0; from && i < Math.min(many, MOST_BACKS); i += 1) {
    const [x, y] = middle(from);
    const at = { left: x - 28 + 3 * i, top: y - 40 + 2 * i, width: 56, height: 78 };
    const frames = [
      { translate: "0 0" },
      { opacity: 1, offset: 0.75 },
      { translate: way(at, goal), scale: 0.35, opacity: 0 },
    ];
    fly(ghost(null, at), at, frames, { duration: paced(FLIGHT), delay: paced(50 * i), easing: AWAY });
  }
}

/**
 * Chips that go from payer to payee.
 * @param {Beat} beat @param {ReturnType<typeof whereabouts>} where
 */
function paid(beat, where) {
  let k = 0;
  for (const { source, target, amount, card } of beat.events) {
    if (!amount) continue;
    const from = where.seat(source) ?? where.pot(card);
    const to = where.seat(target) ?? where.pot(card);
    if (!from || !to || from === to) continue;
    const n = Math.min(MOST_CHIPS, Math.abs(amount));
    for (let i = 0; i < n; i += 1) {
      const [x, y] = middle(from);
      const at = { left: x - 9 + ((i * 7) % 13) - 6, top: y - 9 + ((i * 5) % 9) - 4, width: 18, height: 18 };
      const frames = [
        { translate: "0 0", scale: 0.6, opacity: 0 },
        { opacity: 1, scale: 1, offset: 0.15 },
        { opacity: 1, scale: 1, offset: 0.85 },
        { translate: way(at, to), scale: 0.8, opacity: 0 },
      ];
      fly(made("flying-chip"), at, frames, { duration: paced(FLIGHT), delay: paced(45 * i + 30 * k) });
    }
    k += 1;
  }
}

/**
 * Marks that rise from a winner's seat: many for the player's own victory, and in two waves if it is that of the match.
 * @param {Box | null} at @param {boolean} [own] @param {boolean} [match]
 */
export function sparks(at, own = true, match = false) {
  if (!at || !paced(1)) return;
  const [x, y] = middle(at);
  const n = own ? SPARKS : FEW_SPARKS;
  const waves = own && match ? 2 : 1;
  for (let i = 0; i < n * waves; i += 1) {
    const el = made("spark");
    el.textContent = `${"♠♥♣♦"[i % 4]}\ufe0e`;
    el.dataset.suit = "shcd"[i % 4];
    const wave = Math.floor(i / n);
    const angle = ((i + wave / 2) / n) * 2 * Math.PI;
    const far = (own ? 90 : 50) + ((i * 53) % 90) + 50 * wave;
    const frames = [
      { translate: "0 0", scale: 0.3, opacity: 0 },
      { opacity: 1, offset: 0.2 },
      {
        translate: `${Math.cos(angle) * far}px ${Math.sin(angle) * far * 0.7 - 60}px`,
        scale: 1,
        opacity: 0,
        rotate: "60deg",
      },
    ];
    const box = { left: x - 12, top: y - 12, width: 24, height: 24 };
    fly(el, box, frames, { duration: paced(1400), delay: paced((i % 6) * 60 + 450 * wave), easing: "ease-out" });
  }
}

/** The place of a seat. @param {Element} root @param {number} seat */
export const seatOf = (root, seat) => root.querySelector(`.seat[data-seat="${seat}"]`)?.getBoundingClientRect() ?? null;

/**
 * Show a beat: cards under root move from their old places, and what belongs to the beat flies.
 * @param {Element} root @param {{zones: Zone[]}} view what is drawn @param {Places} before @param {Beat | null} beat
 * @param {Zone | null} [held] a complete trick that is still shown
 */
export function run(root, view, before, beat, held = null) {
  if (!paced(1)) return;
  const where = whereabouts(root, view);
  const { now, gone } = moved(root, before, beat, where);
  if (!beat) return;
  const { kind, seat } = beat;
  if (GATHERING.includes(kind) && (kind !== "trick" || beat.gathers)) gathered(root, gone, before, now, beat, where);
  if (kind === "trick" && !beat.gathers) {
    const best = held?.cards[held.by?.indexOf(seat ?? -1) ?? -1];
    glow(where.seat(seat), beat.ms);
    glow((best && now.get(best)) || null, beat.ms);
  }
  if (kind === "chips") paid(beat, where);
  if (kind === "draw" && !beat.events.some((one) => one.card && now.has(one.card))) drawn(before, beat, where);
  if (kind === "reveal") revealed(now, beat, where);
  if (kind === "doubt") glow(where.seat(beat.events[0]?.target ?? seat), beat.ms);
  if (kind === "win") glow(where.seat(seat), beat.ms);
  if (kind === "knock") {
    knocked(root.querySelector(".rap")?.firstElementChild?.getBoundingClientRect() ?? where.seat(seat), beat.ms);
    glow(where.seat(seat), beat.ms);
    root
      .querySelector(".board")
      ?.animate([{ translate: "0 0" }, { translate: "0 4px" }, { translate: "0 -2px" }, { translate: "0 0" }], {
        duration: paced(KNOCK),
        iterations: 2,
      });
  }
}

/** The rings of two knocks go out from a place on the table. @param {Box | null} at @param {number} ms */
function knocked(at, ms) {
  if (!at) return;
  const [x, y] = middle(at);
  const wide = Math.max(60, at.width);
  const box = { left: x - wide / 2, top: y - wide / 2, width: wide, height: wide };
  const frames = [
    { scale: 0.3, opacity: 1 },
    { opacity: 0.8, offset: 0.5 },
    { scale: 2.4, opacity: 0 },
  ];
  for (const delay of [0, KNOCK])
    fly(made("ring"), box, frames, { duration: paced(ms), delay: paced(delay), easing: "ease-out" });
}

/**
 * Cards that are turned up, and lie nowhere on the table afterwards: they are seen in its middle during the beat.
 * @param {Places} now @param {Beat} beat @param {ReturnType<typeof whereabouts>} where
 */
function revealed(now, beat, where) {
  const cards = beat.events.flatMap((one) => (one.card && !now.has(one.card) ? [one.card] : []));
  const board = where.board();
  if (!board || beat.turned || cards.length > MOST_SHOWN) return;
  const width = Math.min(96, board.width / (cards.length + 1));
  const [x, y] = middle(board);
  cards.forEach((card, i) => {
    const left = x + (i - cards.length / 2) * (width + 8);
    const at = { left, top: y - width * 0.7, width, height: width * 1.4 };
    const frames = [
      { scale: "0.05 1", opacity: 1 },
      { scale: "1 1", offset: 0.2 },
      { scale: "1 1", opacity: 1, offset: 0.9 },
      { scale: "1 1", opacity: 0 },
    ];
    fly(ghost(card, at), at, frames, { duration: paced(beat.ms), delay: paced(40 * i), easing: "ease-out" });
  });
}

/**
 * A card goes to a hand in which it is not seen: from where it lay open, or from the stock.
 * @param {Places} before @param {Beat} beat @param {ReturnType<typeof whereabouts>} where
 */
function drawn(before, beat, where) {
  const card = beat.events.find((one) => one.card && before.has(one.card))?.card ?? null;
  const from = (card && before.get(card)) || where.stock(beat.seat);
  const to = where.seat(beat.seat);
  if (!from || !to) return;
  const at = { left: from.left, top: from.top, width: 44, height: 62, ...(card ? size(from) : {}) };
  const frames = [
    { translate: "0 0" },
    { opacity: 1, offset: 0.7 },
    { translate: way(at, to), scale: 0.5, opacity: 0 },
  ];
  fly(ghost(card, at), at, frames, { duration: paced(FLIGHT) });
}
