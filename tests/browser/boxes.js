// What is wrong with the layout of the table on a page, computed from the boxes of its elements: [] if everything that
// is needed is inside, whole and on top, and no part lies under another. A few px are allowed for rims.
() => {
  const live = document.querySelector(".live");
  if (!live) return ["there is no table"];
  const bad = [];
  const text = (el) => el.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
  const named = (el) => `${el.dataset.card ?? `${el.className || el.tagName} “${text(el)}”`}`;
  const box = (el) => el.getBoundingClientRect();
  const seen = (el) =>
    box(el).width > 1 && box(el).height > 1 && getComputedStyle(el).visibility !== "hidden" && !el.closest(".sr");
  const all = (which) => [...live.querySelectorAll(which)].filter(seen);
  const how = live.dataset.how;
  const ending = live.querySelector(".ending"); // the result may lie over the middle, and over what was said there
  const ended = !!ending;
  const shared = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  const common = (a, b) => [shared(box(a), box(b), "left", "right"), shared(box(a), box(b), "top", "bottom")];
  const inside = ({ left, top, right, bottom }) =>
    left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;

  // nothing is larger than the window
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) bad.push(`the page is ${wide} px too wide`);
  const high = live.scrollHeight - live.clientHeight;
  if (high > 1) bad.push(`the table is ${high} px too high`);

  // words can be read
  const holdsText = (el) => [...el.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
  const small = all(":not(svg *)").filter((el) => holdsText(el) && parseFloat(getComputedStyle(el).fontSize) < 8.9);
  for (const el of small.slice(0, 3)) bad.push(`too small to be read: ${named(el)}`);

  // cards: inside, and their indices on top
  for (const card of all(".hand .card.up, .board .card.up")) {
    if (card.closest("[data-rows=strips], [data-rows=upright]")) continue;
    if (!inside(box(card))) bad.push(`outside: ${named(card)}`);
    const corner = card.querySelector(".face > .corner");
    if (!corner || (ended && card.closest(".board"))) continue;
    const { left, top, width, height } = box(corner);
    const points = [[0.5, 0.45], [0.22, 0.25], [0.78, 0.25], [0.3, 0.6], [0.7, 0.6]];
    if (!points.every(([x, y]) => card.contains(document.elementFromPoint(left + width * x, top + height * y))))
      bad.push(`index covered: ${named(card)}`);
  }

  // open cards of the others: inside their plate, and their indices on top, there or in the result
  const clear = (card) => {
    const { left, top, width, height } = box(card.querySelector(".face > :is(.corner, .large, text)"));
    return card.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };
  const listed = ending ? [...ending.querySelectorAll(".shown .card")].filter(seen) : [];
  for (const card of all(".others .shown .card")) {
    const [mine, plate] = [box(card), box(card.closest(".seat"))];
    if (mine.right > plate.right || mine.left < plate.left || mine.bottom > plate.bottom + 1)
      bad.push(`over the edge of a plate: ${named(card)}`);
    else if (ended && !clear(card)) bad.push(`index covered at a seat: ${named(card)}`);
  }

  // the result: inside, its lines not cut, its buttons on top; more than one line is seen, and everybody's cards
  if (ending) {
    const whole = box(ending);
    if (!inside(whole)) bad.push("outside: the result");
    if (ending.scrollWidth > ending.clientWidth + 1) bad.push("the result is too wide");
    if (ending.scrollTop) bad.push("the result is scrolled");
    const rows = [...ending.querySelectorAll(":scope > ul > li")].map(box);
    if (rows.filter(({ bottom }) => bottom <= whole.bottom).length < Math.min(3, rows.length))
      bad.push("the result shows too few lines");
    const fits = (el) => {
      const mine = box(el);
      return mine.left >= whole.left && mine.right <= whole.right && el.scrollWidth <= el.clientWidth + 1;
    };
    const block = (el) => seen(el) && getComputedStyle(el).display !== "inline";
    for (const el of ending.querySelectorAll("h2, .who, .why, .sum, .shown, button, summary, .fine"))
      // a rule's number has a larger place for fingers, which is not cut
      if (block(el) && !el.matches(".rule") && !fits(el)) bad.push(`cut in the result: ${named(el)}`);
    for (const one of ending.querySelectorAll(":scope > ul > li")) {
      const [who, shown, sum] = [".who", ".opened", ".sum"].map((which) => one.querySelector(which));
      if (box(who).right > box(sum).left + 1) bad.push(`covered in the result: ${named(who)}`);
      if (shown && seen(shown) && (box(shown).right > box(sum).left + 1 || box(shown).left < box(who).right - 1))
        bad.push(`covered in the result: ${named(one)}`);
    }
    for (const card of listed)
      if (box(card).bottom < whole.bottom - 24 && !clear(card)) bad.push(`index covered in the result: ${named(card)}`);
    const others = [...ending.querySelectorAll(".opened")].length - !!live.querySelector(".hand .card");
    if (!listed.length && all(".others .opened").length < others) bad.push("the cards of somebody are not shown");
    const close = ending.querySelector("header button");
    const { left, top, width, height } = box(close ?? ending);
    if (close && !close.contains(document.elementFromPoint(left + width / 2, top + height / 2)))
      bad.push("the result cannot be closed");
  }

  // texts and buttons: inside the window and their part, whole, not covered
  const TEXTS =
    ".seat .name, .seat .fact, .aside .label, .aside .remark, .aside > .fact, .message .now > span, .caption > span, " +
    ".actions button, .potzone .label, .money b, .spread .note, .spread h3";
  for (const el of all(TEXTS)) {
    const mine = box(el);
    const part = el.closest(".seat, .caption, .message, .actions, .board");
    const whole = box(part);
    const over =
      mine.right > whole.right + 2 ||
      mine.bottom > whole.bottom + 3 ||
      mine.left < whole.left - 2 ||
      mine.top < whole.top - 3;
    if (!inside(mine)) bad.push(`outside: ${named(el)}`);
    else if (el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).overflow !== "visible")
      bad.push(`cut: ${named(el)}`);
    else if (over) bad.push(`over the edge of ${part.className.split(" ")[0]}: ${named(el)}`);
    else if (!ended || !el.closest(".board, .caption")) {
      const line = el.getClientRects()[0];
      const top = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2);
      if (top && !el.contains(top) && !top.contains(el)) bad.push(`covered: ${named(el)}`);
    }
  }

  // at a seat nothing lies over something else; a row of backs may end under what follows
  for (const seat of all(".seat")) {
    const parts = ["header > .avatar", ".name", ".held > b", ".figure", ".facts > *", ".heaps .card", ".held .card"]
      .map((which) => [...seat.querySelectorAll(which)].filter(seen));
    parts.forEach((these, i) => {
      for (const a of these) for (const b of parts.slice(i + 1).flat()) {
        const [w, h] = common(a, b);
        if (w > 2 && h > 2) bad.push(`at a seat: ${named(a)} and ${named(b)} overlap by ${[w, h].map(Math.round)} px`);
      }
    });
  }

  // no part lies under another
  const PARTS = 
    ".others .seat|.caption > span|.message|.own > .seat|.hand .card|.board .card|.actions|.aside .heap|.ending";
  const drawn = (el) => getComputedStyle(el).opacity !== "0";
  const parts = PARTS.split("|").map((which) => [which, all(which).filter(drawn)]);
  const middle = /board|aside/;
  const under = /board|aside|caption|message/; // of the result
  parts.forEach(([one, these], i) => {
    for (const [two, those] of parts.slice(i + 1)) {
      if ((middle.test(one) && middle.test(two)) || (two === ".ending" && under.test(one))) continue;
      const overlap = these.flatMap((a) =>
        those.flatMap((b) => {
          const [w, h] = common(a, b);
          return w > 2 && h > 3 ? `${one} and ${two} overlap by ${Math.round(w)} x ${Math.round(h)} px` : [];
        }),
      );
      bad.push(...overlap.slice(0, 1));
    }
  });

  // the hand is not smaller than the middle
  const width = (els) => (els.length ? box(els[0]).width : NaN);
  const own = width(all(".hand .card"));
  const laid = width(all(".spread .card, .thrown .card, .board .pile .card"));
  if (laid > own + 2) bad.push(`the hand's cards are smaller than the middle's: ${own} < ${laid}`);

  // all is on one axis, where the hand is below
  const play = box(live.querySelector(".play"));
  const off = (left, right) => Math.abs((left + right) / 2 - (play.left + play.right) / 2);
  if (how !== "low" && !ended) {
    const fan = all(".fan .card").map(box);
    const apart = off(Math.min(...fan.map((one) => one.left)), Math.max(...fan.map((one) => one.right)));
    if (apart > 4) bad.push(`the hand is ${Math.round(apart)} px off the axis`);
    for (const el of how === "round" ? all(".spreads, .trickbox, .sequence") : [])
      if (off(box(el).left, box(el).right) > 4) bad.push(`${el.className} is off the axis`);
  }
  // plates have one size
  const plates = all(".others .seat").map((el) => box(el).height);
  if (how !== "round" && !ended && Math.max(...plates) > Math.min(...plates) + 2) bad.push("plates of different heights");
  return bad;
}
