/**
 * How large everything on the table is: computed from what a game has to show and the room that there is. Nothing here
 * touches a page. Sizes are in px unless said otherwise; the unit of a drawing is the width of a card.
 */

// a card's height
const HIGH = 1.4;
// the width of its index, rank above suit
const INDEX = 0.25;
// the height of that index
const LOW_INDEX = 0.48;
// the height of an index with the suit next to the rank
const IN_LINE = 0.27;
// the most that a covered card of a run shows
const PEEP = 0.62;
// of a card that the next row of a hand leaves open
const ROW = 0.75;
// how far a chosen card is raised
const RAISED = 0.35;
// and below a row whose indices stay open
const IN_ROWS = ROW - LOW_INDEX;
// a card
const LARGEST = 190;
const SMALLEST = 30;
// in a pile that has hardly room
const TINY = 16;
// between cards side by side
const GAP = 8;
// of a card in a pile that is turned up, next to the following one
const PILED = 0.45;
// and above the next row
const PILE_ROW = 0.9;
// px of the width of a text
const LETTER = 7;
// the narrowest index that can be read
const READ = 12;
// the width of a small card at a seat
const LITTLE = 30;
// the narrowest of its index
const READ_LITTLE = 9;
// smaller cards with chips have the number next to them, if they are larger then
const CLOSE = 44;
// from this width on, an index of the usual scale is large enough
const CLEAR = 77;
// below this width a card has no pips, but a large index
const PLAIN = 66;

/** @typedef {"round" | "tall" | "low"} Arrangement seats round the table; in rows above it; the hand at the side */
/** @typedef {{pile: boolean, n: number, texts: number[]}} SpreadShape `texts`: the number of letters of each */
/**
 * What a middle has to show, by numbers.
 * @typedef {{spreads: SpreadShape[], rows: number, lay?: Drawn["rows"], columns: {open: number, shut: number}[],
 * trick: number, run: number, money: number[], stakes: boolean, heaps: number, texts: number}} Shape `rows` of a suit
 * each, which lay in the way `lay` before; `trick`: its players; `run`: its cards, with the one that is due; `money`:
 * the cards on which chips lie
 */
/**
 * How it is drawn.
 * @typedef {{w: number, heap: number, side: "" | "left" | "top", balanced: boolean, wing: number,
 * rows: "" | "cards" | "strips" | "upright", index: number, peep: number, at: number[][], money: number, per: number,
 * tight: boolean, inline: boolean}} Drawn `w`: cards; `heap`: those of heaps; `side`: where heaps and texts are;
 * `wing`: its width there; `balanced`: the other side is as wide; `index`: the scale of an index; `peep`: what a
 * covered card shows; `at`: the cards of a trick, from the middle; `money`: cards with chips; `per`: heaps in a row,
 * where there is nothing else; `tight`: only what is needed has room; `inline`: chips are counted next to their card
 */

/** @param {{width: number, height: number}} window @returns {Arrangement} */
export const arranged = ({ width, height }) =>
  height <= 480 && width > height ? "low" : width > 900 && width >= 1.25 * height ? "round" : "tall";

/** In how many columns the plates of others lie. @param {Arrangement} how @param {number} n */
export function platesAcross(how, n) {
  const most = how === "low" ? 6 : 4;
  return Math.ceil(n / Math.ceil(n / most));
}

/**
 * A number that stays as it is while it falls by less than half, or to nothing, so that nothing changes its size at
 * every move, or when the last card is played.
 * @param {number} before @param {number} n
 */
export const steady = (before, n) => (n > before || (n > 0 && n <= before / 2) ? n : before);

/**
 * The largest width from `least` to `most` that fits.
 * @param {number} least @param {number} most @param {(w: number) => boolean} fits
 */
function largest(least, most, fits) {
  let low = least;
  let high = Math.max(least, Math.floor(most)) + 1;
  while (high - low > 1) {
    const w = (low + high) >> 1;
    if (fits(w)) low = w;
    else high = w;
  }
  return low;
}

/**
 * A hand of `n` cards: rows, how much of a covered card shows, and its height with a chosen card raised.
 * @param {number} n @param {number} w @param {number} width @param {number} finger the least that a finger needs
 */
export function handOf(n, w, width, finger) {
  for (let rows = 1; ; rows += 1) {
    const long = Math.ceil(n / rows);
    const over = long > 1 ? (width - w - 2) / (long - 1) : w;
    const strip = over > w ? Math.min(w + 6, (width - 2) / long) : over;
    if (strip < Math.max(INDEX * w, finger, READ) && rows < 5) continue;
    const index = Math.max(0.7, Math.min(2, strip / (INDEX * w), rows > 1 ? ROW / LOW_INDEX : 2));
    const raised = rows > 1 ? IN_ROWS : RAISED;
    return { w, rows, strip, index, raised, height: Math.ceil((HIGH + raised + (rows - 1) * ROW) * w) + 1 };
  }
}

/**
 * A hand as large as a separate room allows.
 * @param {number} n @param {number} width @param {number} height @param {number} finger
 */
export function lowHand(n, width, height, finger) {
  const w = largest(22, Math.min(LARGEST, width / 2.2), (one) => handOf(n, one, width, finger).height <= height);
  return { ...handOf(n, w, width, finger), height };
}

/** Rows and piles of open cards, wrapped. @param {SpreadShape[]} spreads @param {number} W @param {number} H */
const spread = (spreads, W, H) => (/** @type {number} */ w) => {
  let [x, high, line] = [0, 0, 0];
  for (const { pile, n, texts } of spreads) {
    const [first, next] = pile ? [w + 18, PILED * w] : [w, w + GAP];
    const across = Math.max(1, Math.floor((W - first) / next) + 1);
    const wide = first + (Math.min(Math.max(n, 1), across) - 1) * next;
    const rows = Math.ceil(Math.max(n, 1) / across);
    const lines = texts.reduce((all, letters) => all + Math.ceil((letters * LETTER) / (W - 18)), 0);
    const tall = (pile ? (HIGH + (rows - 1) * PILE_ROW) * w + 22 : rows * (HIGH * w + GAP)) + 22 * lines;
    if (wide > W || w > W) return false;
    if (x && x + 20 + wide > W) [high, x, line] = [high + line + 12, 0, 0];
    x += (x && 20) + wide;
    line = Math.max(line, tall);
  }
  return high + line <= H;
};

/** @type {Map<number, number[][]>} */
const rings = new Map();

/**
 * The middles of `n` cards round a point, from below on clockwise.
 * @param {number} n @param {number} a @param {number} b
 */
const round = (n, a, b) =>
  Array.from({ length: n }, (_, i) => [-a * Math.sin((2 * Math.PI * i) / n), b * Math.cos((2 * Math.PI * i) / n)]);

/** Half widths and half heights of rings on which cards of a trick do not cover each other. @param {number} n */
function ringsFor(n) {
  const known = rings.get(n);
  if (known) return known;
  const open = (/** @type {number} */ a, /** @type {number} */ b) => {
    const at = round(n, a, b);
    return at.every(([x, y], i) =>
      at.slice(i + 1).every(([u, v]) => Math.abs(u - x) > 0.999 || Math.abs(v - y) > HIGH - 0.001),
    );
  };
  const found = [];
  for (let a = 0; a <= 4; a += 0.1) {
    let b = 0;
    while (b <= 4 && !open(a, b)) b += 0.05;
    if (b <= 4) found.push([a, b]);
  }
  rings.set(n, found);
  return found;
}

/**
 * Where the cards of a trick lie, in cards from the middle: each towards its seat; in rows if they are much larger
 * there, the player's own at the end.
 * @param {number} n @param {number} W @param {number} H
 */
function trick(n, W, H) {
  const sized = (/** @type {number[][]} */ at) => {
    const [x, y] = [0, 1].map((i) => Math.max(...at.map((one) => Math.abs(one[i]))));
    return { w: Math.floor(Math.min(W / (2 * x + 1), (H - 4) / (2 * y + HIGH))), at };
  };
  const larger = (/** @type {ReturnType<typeof sized>[]} */ all) =>
    all.reduce((one, two) => (two.w > one.w ? two : one));
  const circle = larger(ringsFor(n).map(([a, b]) => sized(round(n, a, b))));
  const rows = Array.from({ length: n }, (_, k) => {
    const count = Math.ceil(n / (k + 1));
    const place = (/** @type {number} */ i) => [
      ((i % (k + 1)) - Math.min(k, n - 1) / 2) * 1.05,
      (Math.floor(i / (k + 1)) - (count - 1) / 2) * 1.46,
    ];
    return sized(Array.from({ length: n }, (_, i) => place((i + n - 1) % n)));
  });
  const straight = larger(rows);
  return n > 4 && straight.w > 1.25 * circle.w ? straight : circle;
}

/**
 * Cards with chips on them, in rows.
 * @param {number[]} cards @param {boolean} stakes @param {number} W @param {number} H
 * @param {boolean} [inline] whether their number is next to a card, and not below it
 */
export function moneyOf(cards, stakes, W, H, inline = false) {
  const most = Math.max(...cards);
  const [text, least, rim] = stakes ? [70, 50, 26] : inline ? [0, 24, 46] : [36, 40, 16];
  let best = 0;
  for (let rows = 1; rows <= cards.length; rows += 1) {
    const long = Math.ceil(cards.length / rows);
    const [room, high] = [W / long - rim, H / rows - text - 6];
    const w = Math.floor(Math.min(room / (1 + 0.4 * (most - 1)), high / HIGH));
    if (room >= least && w > best) best = w;
  }
  return best;
}

/**
 * The columns of a patience: the width of a card, and what an open card shows where it is covered.
 * @param {{open: number, shut: number}[]} columns @param {number} W @param {number} H
 */
function columnsOf(columns, W, H) {
  const widest = Math.min(170, Math.floor((W - (columns.length - 1) * (W < 360 ? 2 : 4)) / columns.length));
  const room =
    (/** @type {number} */ w) =>
    (/** @type {{open: number, shut: number}} */ { open, shut }) =>
      (H - HIGH * w - shut * Math.max(5, w * 0.12)) / Math.max(1, open - 1);
  const least = (/** @type {number} */ w) => Math.min(...columns.map(room(w)));
  const w = largest(16, widest, (one) => HIGH * one <= H * 0.5 && least(one) >= IN_LINE * one);
  const peep = Math.max(IN_LINE * w, Math.min((w < CLEAR ? 0.7 : 0.56) * w, least(w)));
  return { w, peep, index: Math.max(1, Math.min(2, peep / (IN_LINE * w), CLEAR / w)) };
}

/**
 * A run, or rows and piles of open cards.
 * @param {Shape} shape @param {number} W @param {number} H @param {number} most
 */
function laidOpen({ run, spreads }, W, H, most) {
  if (run) {
    const w = Math.floor(Math.min(most, (H - GAP) / HIGH, W / (2.2 + (INDEX + 0.02) * Math.max(0, run - 2))));
    const peep = Math.min(PEEP * w, (W - 2.2 * w) / Math.max(1, run - 2));
    return { w, peep, index: Math.min(2, peep / (INDEX * w)), tight: false };
  }
  const piles = spreads.filter(({ pile }) => pile);
  const fits = spread(spreads, W, H);
  const tight = piles.length > 0 && !fits(SMALLEST); // nothing is said of the pile then
  const w = tight
    ? largest(
        TINY,
        SMALLEST,
        spread(
          piles.map((one) => ({ ...one, texts: [] })),
          W,
          H,
        ),
      )
    : largest(SMALLEST, Math.min(most, LARGEST), fits);
  return { w, peep: 0, index: piles.length ? 1.8 : 2, tight };
}

/**
 * What is in the middle besides heaps and texts.
 * @param {Shape} shape @param {number} W @param {number} H @param {number} most
 * @returns {Omit<Drawn, "side" | "balanced" | "wing" | "heap" | "per">}
 */
function main(shape, W, H, most) {
  const none = /** @type {number[][]} */ ([]);
  const rowless = /** @type {Drawn["rows"]} */ ("");
  const one = { w: 0, rows: rowless, index: 2, peep: 0, at: none, money: 0, inline: false, tight: false };
  if (shape.columns.length) return { ...one, ...columnsOf(shape.columns, W, H) };
  if (shape.trick) {
    const { w, at } = trick(shape.trick, W, H);
    return { ...one, w: Math.min(w, most), at };
  }
  if (shape.rows) {
    const [wide, high] = [(W - 48) / 13, (H - (shape.rows - 1) * 4) / shape.rows];
    const w = Math.floor(Math.min(wide, high / HIGH, LARGEST));
    const { lay } = shape;
    if (lay ? lay === "cards" : w >= 36) return { ...one, w, rows: "cards" };
    // a strip needs the room of a rank and a suit side by side
    const strips = Math.min(wide, high * 2, 66);
    const upright = Math.min(W / shape.rows, ((H - 24) / 13) * 2, 66);
    return {
      ...one,
      w: Math.max(1, Math.floor(Math.max(strips, upright))),
      rows: lay || (strips > upright ? "strips" : "upright"),
    };
  }
  if (!shape.money.length) return { ...one, ...laidOpen(shape, W, H, most) };
  const money = (/** @type {number} */ high) => {
    const below = moneyOf(shape.money, shape.stakes, W, high);
    const by = below < CLOSE && !shape.stakes ? moneyOf(shape.money, false, W, high, true) : 0;
    return { money: Math.max(1, Math.min(LARGEST, Math.max(below, by))), inline: by > below };
  };
  if (!shape.run && !shape.spreads.length) return { ...one, w: money(H).money, ...money(H) };
  // cards with money and the others share the height, so that the smaller ones are as large as possible
  const shared = [0.42, 0.5, 0.58].map((share) => {
    const laid = { ...one, ...laidOpen(shape, W, H * (1 - share) - GAP, most) };
    const counted = money(H * share);
    return { ...laid, inline: counted.inline, money: Math.min(counted.money, laid.w) };
  });
  return shared.reduce((best, other) =>
    Math.min(other.w, 1.3 * other.money) > Math.min(best.w, 1.3 * best.money) ? other : best,
  );
}

/**
 * The middle of a table.
 * @param {Shape} shape @param {number} W its width @param {number} H its height
 * @param {number} most the largest card wanted
 * @returns {Drawn}
 */
export function middle(shape, W, H, most = LARGEST) {
  const { heaps, texts } = shape;
  const nowhere = /** @type {Drawn["side"]} */ ("");
  const alone = { side: nowhere, balanced: false, wing: 0, per: 1, tight: false, inline: false };
  const laid = shape.columns.length + shape.trick + shape.rows + shape.run + shape.spreads.length;
  if (!laid && !shape.money.length) {
    const sizes = [1, 2].map((rows) => {
      const per = Math.max(1, Math.ceil(heaps / rows));
      return { per, room: W / per, w: Math.min(W / per - 36, ((H - 30 * texts) / rows - (rows > 1 ? 74 : 62)) / HIGH) };
    });
    const { per, w } = sizes[0].room < 98 && heaps > 1 ? sizes[1] : sizes[0];
    const close = (H / Math.ceil(heaps / per) - 46) / HIGH; // with two lines of text on what a click does
    const wide = Math.floor(w < SMALLEST ? Math.max(20, Math.min(SMALLEST, close)) : Math.min(most, w));
    const drawn = { w: wide, heap: wide, rows: /** @type {const} */ (""), index: 2, peep: 0, at: [], money: 0 };
    return { ...alone, ...drawn, per, tight: w < SMALLEST };
  }
  if (!heaps && !texts) return { ...alone, heap: 0, ...main(shape, W, H, most) };
  const A = Math.max(76, Math.min(150, W * 0.14));
  const usual = heaps ? Math.max(56, Math.min(100, H * 0.2)) + (texts && W < 420 ? 24 : 0) : 30;
  const R = H < 2.2 * usual ? Math.min(usual, 46) : usual;
  const both = main(shape, W - 2 * A, H, most);
  const one = main(shape, W - A, H, most);
  const above = main(shape, W, H - R, most);
  const left = both.w >= 0.9 * one.w ? both : one;
  if (above.w > left.w * 1.02 || W < 420)
    return {
      ...alone,
      ...above,
      side: "top",
      heap: Math.floor(Math.min((R - (texts && W < 420 && R === usual ? 34 : 10)) / HIGH, 64)),
    };
  const heap = Math.floor(Math.max(20, Math.min(A - 22, (H / Math.max(1, heaps) - 48 - 20 * texts) / HIGH, left.w)));
  return { ...alone, ...left, side: "left", balanced: left === both, wing: A, heap };
}

/**
 * The cards of a hand and of the middle above it. They share a height: the hand's are as large as possible while those
 * of the middle are not smaller, or lose little.
 * @param {Shape} shape
 * @param {{width: number, n: number, least: number, finger: number}} hand its width, its cards, the least height that
 * is taken anyway
 * @param {number} W of the middle @param {number} H of both
 */
export function table(shape, hand, W, H) {
  const { width, n, least, finger } = hand;
  const at = (/** @type {number} */ w) => {
    const held = handOf(n, w, width, finger);
    const height = n ? Math.max(least, held.height) : least;
    return { hand: { ...held, height }, middle: middle(shape, W, H - height, n ? w : LARGEST) };
  };
  if (!n) return at(SMALLEST);
  const clear = (/** @type {Drawn} */ { w, money }) => (money ? Math.min(w, 1.5 * money) : w);
  const best = clear(middle(shape, W, H - at(44).hand.height, LARGEST));
  const good = (/** @type {number} */ w) => {
    const { hand: held, middle: laid } = at(w);
    const roomy = w <= Math.max(84, 1.8 * held.strip);
    return roomy && held.height <= H * 0.55 && clear(laid) >= Math.min(w, 0.88 * best);
  };
  return at(largest(24, Math.min(LARGEST, width / 3, H * 0.31), good));
}

/**
 * Whether the index of each of the small cards in a row can be read, which lie over each other as far as needed.
 * @param {number} n @param {number} width
 */
export const legible = (n, width) => n < 2 || (width - LITTLE) / (n - 1) >= READ_LITTLE;

/** Whether cards of this width have a large index only. @param {number} w */
export const plain = (w) => w < PLAIN;
