/**
 * Motion by beat: the table is drawn at once, and then each card is moved from its old place to its new one; what has
 * left the table flies away over it. Only transforms and opacity change, and nothing waits for it.
 */
import { html, render } from "./html.js";
import { Card } from "./cards.js";
import { paced } from "./store.js";

/** @typedef {import("./beats.js").Beat} Beat */
/** @typedef {import("./moves.js").Zone} Zone */
/** @typedef {Map<string, DOMRect>} Places */
/** @typedef {{left: number, top: number, width: number, height: number}} Box */

const MOVE = 240; // ms of a card's way
const FLIGHT = 420; // ms of something that flies over the table
const EASE = "cubic-bezier(.2,.7,.3,1)";
const AWAY = "cubic-bezier(.5,0,.75,.4)";
const GATHER = 850; // ms in which cards gather and go
const MOST_BACKS = 5; // cards face down that fly
const MOST_SHOWN = 8; // cards shown together in the middle
const MOST_CHIPS = 6; // chips that fly for one payment
const DEALING = 620; // ms within which the cards of a deal leave the pack
const GATHERING = ["capture", "trick", "removed", "sunk"]; // beats whose cards leave the table
const FANS = 420; // ms in which a card of a hand comes to its place in the fan
const FAN_STEP = 22; // ms from one of them to the next
const SPARKS = 22; // marks that rise for a winner
const FEW_SPARKS = 8; // and for a winner who is somebody else

/** The places of cards that are on the table only once. @param {Element} root @returns {Places} */
export function places(root) {
  /** @type {Places} */
  const found = new Map();
  if (!paced(1)) return found;
  const doubled = new Set();
  for (const el of root.querySelectorAll("[data-card]")) {
    const card = /** @type {HTMLElement} */ (el).dataset.card ?? "";
    if (found.has(card)) doubled.add(card);
    found.set(card, el.getBoundingClientRect());
  }
  for (const card of doubled) found.delete(card);
  return found;
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
    /** A pile of nobody's. */
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
 * Move the cards under root from their old places.
 * @param {Element} root @param {Places} before @param {Beat | null} beat @param {ReturnType<typeof whereabouts>} where
 */
function moved(root, before, beat, where) {
  const now = places(root);
  const dealt = beat?.kind === "deal";
  const named = beat?.events.some((one) => one.card); // only these cards are dealt
  let k = 0;
  for (const [card, to] of now) {
    const old = dealt && !named ? undefined : before.get(card);
    const from = old ?? origin(beat, card, where);
    const el = root.querySelector(`[data-card="${card}"]`);
    if (!el || !to.width) continue;
    if (beat?.kind === "open" && !old) {
      fannedOut(el, to);
      continue;
    }
    const turned = beat?.events.some((one) => one.card === card) && ["flip", "reveal"].includes(beat.kind);
    if (turned && !old) {
      el.animate([{ scale: "0.05 1" }, { scale: "1 1" }], { duration: paced(MOVE), easing: "ease-out" });
      continue;
    }
    if (!from) continue;
    const [x, y] = way(to, from).split(" ").map(parseFloat);
    if (Math.abs(x) + Math.abs(y) < 6) continue;
    const size = old ? old.width / to.width : 0.5;
    const delay = dealt ? paced((DEALING * k++) / now.size) : 0;
    el.animate(
      [
        { translate: `${x}px ${y}px`, scale: size, opacity: old ? 1 : dealt ? 0 : 0.4, zIndex: 5 },
        { translate: "none", scale: 1, opacity: 1, zIndex: 5 },
      ],
      { duration: paced(MOVE), delay, easing: EASE, fill: "backwards" },
    );
  }
  return now;
}

/** A card of a hand that is laid open: all of them come out of its first one. @param {Element} el @param {DOMRect} to */
function fannedOut(el, to) {
  const first = el.parentElement?.firstElementChild?.getBoundingClientRect() ?? to;
  const at = [...(el.parentElement?.children ?? [])].indexOf(el);
  el.animate(
    [
      { translate: way(to, first), rotate: "-24deg", opacity: 0 },
      { translate: way(to, first), rotate: "-24deg", opacity: 1, offset: 0.25 },
      { translate: "none", rotate: "none", opacity: 1 },
    ],
    { duration: paced(FANS), delay: paced(FAN_STEP * at), easing: EASE, fill: "backwards" },
  );
}

/**
 * Where a card goes that leaves the table for good.
 * @param {string} kind of the beat @param {Box} from @param {Box} spot where its cards gather @param {Box | null} board
 */
function leaving(kind, from, spot, board) {
  if (kind === "sunk") return { translate: "0 90px", rotate: "24deg", scale: 0.8, opacity: 0 };
  const corner = board && { ...spot, left: board.left + board.width - spot.width, top: board.top };
  return { translate: corner ? way(from, corner) : "0 -80px", scale: 0.4, opacity: 0 };
}

/**
 * Cards that were on the table and are gone: they gather, and go to whoever has taken them.
 * @param {Element} root @param {Places} before @param {Places} now @param {Beat} beat
 * @param {ReturnType<typeof whereabouts>} where
 */
function gathered(root, before, now, beat, where) {
  const board = where.board();
  const goal = beat.kind === "capture" || beat.kind === "trick" ? where.pile(beat.seat) : null;
  const seats = [...root.querySelectorAll(".seat")].map((el) => el.getBoundingClientRect());
  // what lay at a seat, such as the top of a pile, was not on the table
  const gone = [...before].filter(([card, box]) => !now.has(card) && !seats.some((seat) => within(box, seat)));
  // a card from a hand comes to the table first
  const laid = beat.events.find((one) => one.card && (one.beat || one.kind) === "play")?.card ?? "";
  const spot = gone.find(([card]) => card !== laid)?.[1];
  if (!spot) return goal && beat.kind === "capture" ? unseen(beat, goal, where) : undefined;
  const hand = laid && !now.has(laid) && !before.has(laid) ? where.seat(beat.seat) : null;
  /** @type {[string, Box][]} */
  const all = hand ? [...gone, [laid, { left: hand.left, top: hand.top, ...size(spot) }]] : gone;
  const gathers = beat.kind === "capture" || beat.kind === "removed";
  all.forEach(([card, from], i) => {
    const [x, y] = way(from, spot).split(" ");
    const near = `calc(${x} + ${i * 5}px) calc(${y} + ${i * 4}px)`;
    const end = goal ? { translate: way(from, goal), scale: 0.35, opacity: 0 } : leaving(beat.kind, from, spot, board);
    const frames = gathers
      ? [
          { translate: "0 0", scale: 1 },
          { translate: near, scale: spot.width / from.width, offset: 0.45 },
          { translate: near, scale: spot.width / from.width, offset: 0.62, easing: AWAY },
          { opacity: 1, offset: 0.88 },
          end,
        ]
      : [{ translate: "0 0", scale: 1 }, { opacity: 1, offset: 0.75 }, end];
    const timing = gathers
      ? { duration: paced(GATHER), easing: EASE }
      : { duration: paced(FLIGHT), delay: paced(18 * i), easing: AWAY };
    fly(ghost(card, from), from, frames, timing);
  });
}

/** @param {Box} box @param {Box} outer */
function within(box, outer) {
  const [x, y] = middle(box);
  return x > outer.left && x < outer.left + outer.width && y > outer.top && y < outer.top + outer.height;
}

/**
 * Cards face down, of which only the number is known, go to whoever takes them.
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
 * Chips that go from whoever pays to whoever gets them.
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
    el.textContent = "♠♥♣♦"[i % 4];
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
  const now = moved(root, before, beat, where);
  if (!beat) return;
  const { kind, seat } = beat;
  if (GATHERING.includes(kind) && (kind !== "trick" || beat.gathers)) gathered(root, before, now, beat, where);
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
  if (kind === "knock")
    root
      .querySelector(".board")
      ?.animate([{ translate: "0 0" }, { translate: "0 4px" }, { translate: "0 -2px" }, { translate: "0 0" }], {
        duration: paced(140),
        iterations: 2,
      });
}

/**
 * Cards that are turned up, and lie nowhere on the table afterwards: they are seen in its middle during the beat.
 * @param {Places} now @param {Beat} beat @param {ReturnType<typeof whereabouts>} where
 */
function revealed(now, beat, where) {
  const cards = beat.events.flatMap((one) => (one.card && !now.has(one.card) ? [one.card] : []));
  const board = where.board();
  if (!board || cards.length > MOST_SHOWN) return;
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
