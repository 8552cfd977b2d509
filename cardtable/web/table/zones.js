/** The zones of a table, each kind drawn in its own way; games differ only in which zones they have. */
import { html } from "../browser/html.js";
import { Counted, Reading, SaidCounted, useCounted } from "../motion/counting.js";
import { aloud, asCard, labelled, parts, Said, short, spoken, tr } from "../text/message.js";
import { copies } from "../hand/moves.js";
import { Figure } from "./figures.js";
import { Card, face, shapeOf, sorted } from "../faces/cards.js";
import { indexOf, mark } from "../text/language.js";

/** @typedef {import("../hand/moves.js").Zone} Zone */
/** @typedef {import("../hand/moves.js").Tag} Tag */
/**
 * Whether a move begins at a card of a zone, or (no card) at the zone itself.
 * @typedef {(zone: Zone, card: string) => boolean} Can
 */
/**
 * @typedef {{zone: Zone, table: any, click: (zone: Zone, card: string) => void, can: Can, chosen: string[],
 * does?: (zone: Zone, card: string) => any, ring?: any}} Drawn `does`: what a click on a heap does, in words; `ring`:
 * the time in which several may answer about it
 */

const RANKS = "A23456789TJQK";

/** A card that may be clicked. @param {any} props */
export function CardButton({
  card,
  zone,
  click,
  can,
  chosen,
  ready,
  wrong,
  advised,
  first,
  small,
  why,
  tag = null,
  goal = false,
  toggles = false,
}) {
  const said = [
    spoken(card),
    can && !toggles && tr("playable"),
    chosen && tr("chosen"),
    ready && tr("selected in advance"),
    advised && tr("advised"),
    tag && (tag.once ? tag.brief && aloud(tag.brief) : tr("then choose more")),
    goal && tr("the cards may go here"),
  ]
    .filter(Boolean)
    .join(", ");
  return html`<button type="button" class="card up ${can ? "can" : ""} ${chosen ? "chosen" : ""} ${
    ready ? "ready" : ""
  } ${wrong ? "no" : ""} ${advised ? "advised" : ""} ${small ? "small" : ""}"
    data-card=${card} data-nav aria-pressed=${toggles ? String(!!chosen) : chosen || undefined}
      aria-describedby=${why || undefined} tabindex=${first ? 0 : -1} onClick=${() => click(zone, card, !!chosen)}>
    ${face(card)}<span class="sr">${said}</span>${tag && html`<${Tagged} tag=${tag} />`}
  </button>`;
}

/** What a click on a card does now, or in which of the numbered moves it is. @param {{tag: Tag}} props */
function Tagged({ tag: { once, brief, nth } }) {
  if (!brief && once && !nth.length) return null;
  return html`<span class="tag ${once ? "once" : ""}" aria-hidden="true">${
    nth.length > 0 && nth.length < 5 ? nth.map((n) => html`<kbd key=${n}>${n}</kbd>`) : !once && "…"
  }${brief && html`<span><${Said} message=${brief} /></span>`}</span>`;
}

/** The player's own cards, always visible without scrolling; in rows if one would be too crowded. @param {any} props */
export function Hand({ zone, order, click, can, chosen, ready, wrong, advised = [], reasons = {}, names = [] }) {
  const cards = sorted(zone, order);
  const dark = zone.cards.length - cards.length;
  const draft = zone.chosen ?? [];
  const set = zone.together;
  // for the second copy of a card
  const nth = (/** @type {number} */ at) => cards.slice(0, at).filter((card) => card === cards[at]).length;
  return html`<section class="hand" aria-label=${tr("Your cards")} data-zone="hand">
    <ul class="fan">
      ${cards.map(
        (card, i) => html`<li key=${`${card} ${nth(i)}`}>
          <${CardButton} card=${card} zone=${zone} click=${click} can=${can(zone, card)} toggles=${!!set}
          chosen=${copies([...chosen, ...draft], card) > nth(i)} ready=${ready === card}
          wrong=${wrong === card} advised=${advised.includes(card)} first=${!i}
          why=${reasons[card] && `why-${card}`} />
          </li>`,
      )}
      ${Array.from({ length: dark }, (_, i) => html`<li key=${"d" + i}><${Card} card=${null} /></li>`)}
    </ul>
    ${
      !zone.cards.length &&
      html`<p class="empty">${
        zone.asked ? html`<${Said} message=${zone.asked} you=${zone.seats[0]} sentence />` : tr("no cards")
      }</p>`
    }
    ${Object.entries(reasons).map(
      ([card, reason]) => html`<span hidden key=${card} id=${`why-${card}`}>
      ${aloud(reason.why, { names, you: zone.seats[0] })}</span>`,
    )}
  </section>`;
}

/**
 * A place of a row from ace to king: its card, or a ghost of the card that belongs there.
 * @param {any} props `side`: who of two fills this end of the row: "mine", "theirs" or ""
 */
function Slot({ zone, card, at, click, can, side }) {
  const suit = zone.suit ?? "";
  const name = RANKS[at] + suit;
  const marks = [zone.founders?.includes(name) && "founder", card && "filled", zone.due?.includes(name) && "due", side];
  const sign = (/** @type {string} */ which) => html`<span class=${which} aria-hidden="true">
    ${indexOf(name)}<svg viewBox="0 0 20 20"><path d=${shapeOf(suit)} /></svg></span>`;
  return html`<li class="slot suit-${suit} ${marks.filter(Boolean).join(" ")}" data-slot=${card ? undefined : name}>
    ${
      card
        ? can(zone, card)
          ? html`<${CardButton} card=${card} zone=${zone} click=${click} can />`
          : html`<${Card} card=${card} />`
        : sign("ghost")
    }
    ${card && sign(`strip suit-${suit}`)}
  </li>`;
}

/**
 * Rows of thirteen places, one for each suit.
 * @param {{zones: Zone[], click: Drawn["click"], can: Can, you?: number | null}} props
 */
export function Ladder({ zones, click, can, you = null }) {
  return html`<div class="ladder" role="group" aria-label=${tr("rows")} style=${{ "--rows": zones.length }}>
    ${zones.map((zone) => {
      const names = zone.cards.filter(Boolean).map((card) => short(card ?? ""));
      const said = [labelled(aloud(zone.label), names.join(" ") || tr("empty"))];
      if (zone.due?.length) said.push(aloud({ says: "next is {due}", due: zone.due.map(asCard) }));
      const gap = zone.cards.indexOf(null);
      const last = zone.cards.lastIndexOf(null);
      /** @param {number} at */
      const side = (at) => {
        if (!zone.sides?.length || gap < 0) return "";
        const [up, down] = zone.sides;
        if (at === gap && gap === last) return "mine theirs";
        if (at === last || at === gap || zone.cards[at])
          return (at <= gap ? up : down) === (you ?? 0) ? "mine" : "theirs";
        return "";
      };
      return html`<ul class="rung" key=${zone.name} aria-label=${said.join("; ")}>
        ${zone.cards.map(
          (card, at) => html`<${Slot} key=${at} zone=${zone} card=${card} at=${at} click=${click} can=${can}
          side=${side(at)} />`,
        )}
      </ul>`;
    })}
  </div>`;
}

/** A sequence that grows card by card, and the card that is due as a ghost. @param {{zone: Zone}} props */
export function Sequence({ zone }) {
  const [due = ""] = zone.due ?? [];
  const said = {
    says: due ? mark("{label}: {cards}; next is {due}") : mark("{label}: {cards}"),
    label: zone.label,
    cards: zone.cards.length ? zone.cards.map((card) => asCard(card)) : { says: "empty" },
    due: { card: due },
  };
  return html`<div class="sequence" data-zone=${zone.name}>
    <ul aria-label=${aloud(said)}>
      ${zone.cards.map((card) => html`<li key=${card}><${Card} card=${card} /></li>`)}
      <li key="due" class="due" aria-hidden="true">${due && face(due)}</li>
    </ul>
  </div>`;
}

/**
 * The cards of a trick, each towards the seat that played it.
 * @param {{zone: Zone, seats: number[], names: string[], you: number | null, actors?: number[], collect?: () => void}}
 * props `actors`: who is to play
 */
export function Trick({ zone, seats, names, you, actors = [], collect }) {
  const by = zone.by ?? [];
  const cards = zone.cards.map((card, i) => ({
    says: "{card} by {player}",
    card: asCard(card),
    player: { seat: by[i] },
  }));
  const trick = { says: "Trick: {cards}", cards: cards.length ? cards : { says: "empty" } };
  return html`<div class="trickbox" onClick=${collect}>
    <div class="trick" aria-label=${aloud(trick, { names, you })} role="group">
    ${seats.map((seat) => {
      const i = by.indexOf(seat);
      // in an auction, or while cards are laid aside, nobody is to follow yet
      const next = actors.includes(seat) && (by.length > 0 || zone.leader === seat);
      return html`<div class="thrown" key=${seat}>
        ${
          i >= 0
            ? html`<${Card} card=${zone.cards[i]} /><span class="who">
              ${seat === you ? tr("you") : names[seat]}${
                zone.leader === seat ? ` · ${tr("led", { context: "trick" })}` : ""
              }</span>`
            : html`<span class="place ${next ? "next" : ""}" aria-hidden="true">${
                zone.leader === seat && !by.length
                  ? tr("leads", { context: "trick" })
                  : next
                    ? tr("to follow", { context: "trick" })
                    : ""
              }</span>`
        }
      </div>`;
    })}
  </div></div>`;
}

/**
 * Open cards side by side, as on the table of a capturing game.
 * @param {Drawn & {tag?: (zone: Zone, card: string) => Tag | null}} props `tag`: what is said at a card that may be
 * taken with the chosen ones
 */
export function Spread({ zone, click, can, chosen, table, tag }) {
  const tags = zone.cards.map((card) => (card && tag?.(zone, card)) || null);
  return html`<section class="spread ${zone.kind}" aria-label=${aloud(zone.label)} data-zone=${zone.name}>
    ${(zone.kind !== "row" || zone.facts.length > 0) && html`<h3><${Said} message=${zone.label} sentence /></h3>`}
    <ul>
      ${zone.cards.map(
        (card, i) =>
          html`<li key=${card ?? i}>${
            card
              ? html`<${CardButton} card=${card} zone=${zone} click=${click}
                can=${can(zone, card) || !!tags[i]} tag=${tags[i]}
                chosen=${chosen.includes(card)} first=${!i} />`
              : html`<${Card} card=${null} />`
          }</li>`,
      )}
      ${!zone.cards.length && !zone.facts.length && html`<li class="empty">${tr("empty")}</li>`}
    </ul>
    ${zone.facts.map(
      (fact, i) => html`<p class="note" key=${i}>
      <${Said} message=${fact.message} names=${table.names} you=${table.you} /></p>`,
    )}
  </section>`;
}

/**
 * A heap: the stock, a discard pile. One click on it is one move.
 * @param {Drawn & {barred?: import("../hand/moves.js").Refused[]}} props `barred`: moves of which a click says why they
 * cannot be made
 */
export function Heap({ zone, click, can, table, does, ring, barred = [] }) {
  const top = zone.cards.length ? zone.cards[zone.cards.length - 1] : null;
  const starts = can(zone, top ?? "") || can(zone, "");
  const label = starts && does?.(zone, top ?? "");
  const said = [
    label && aloud(label, {}, true),
    aloud(zone.label),
    (zone.count > 1 || !top) && tr("{n} {n:card|cards}", { n: zone.count }),
    top && aloud({ says: "{card} on top", card: { card: top } }),
  ]
    .filter(Boolean)
    .join(", ");
  const depth = Math.min(4, Math.ceil(zone.count / 8));
  const inside = html`<span class="pile" style=${{ "--depth": depth }}>
    ${
      zone.count
        ? html`<${Card} key=${top ?? "back"} card=${top} />`
        : html`<span class="void" aria-hidden="true">
      </span>`
    }
    ${
      ring &&
      html`<span class="answers" aria-hidden="true" key=${ring.until}
      style=${{ "--span": `${ring.span}ms`, "--gone": `${-ring.gone}ms` }}></span>`
    }
    ${
      zone.suit &&
      html`<span class="inplay" aria-hidden="true"><svg class="suit-${zone.suit}" viewBox="0 0 20 20">
      <path d=${shapeOf(zone.suit)} /></svg></span>`
    }
    ${zone.count > 1 && html`<span class="count" aria-hidden="true">${zone.count}</span>`}
  </span>`;
  return html`<div class="heap ${zone.count || starts ? "" : "none"}" data-zone=${zone.name}>
    ${
      starts || barred.some(({ move }) => move.source === zone.name)
        ? html`<button type="button" class=${starts ? "takes" : "idle"} data-nav tabindex="0"
          onClick=${() => click(zone, top && can(zone, top) ? top : "")}><span aria-hidden="true">${inside}</span>
          <span class="sr">${said}</span></button>`
        : html`<div role="img" aria-label=${said}>${inside}</div>`
    }
    <span class="about">${
      label
        ? html`<span class="label does" aria-hidden="true"><${Said} message=${label} sentence /></span>`
        : html`<span class="label"><${Said} message=${zone.label} /></span>`
    }
    ${zone.facts.map(
      (fact, i) => html`<span class="remark" key=${i}>
      <${Said} message=${fact.message} names=${table.names} you=${table.you} /></span>`,
    )}</span>
  </div>`;
}

/**
 * A clear place on the table where a move is made that has no cards, such as a knock.
 * @param {{zone: Zone, move?: import("../hand/moves.js").Move, press?: (move: string) => void, armed?: string}} props
 * `move`: what is done here now; `armed`: the move that was chosen once and needs another click
 */
export function Place({ zone, move, press, armed }) {
  const label = move && armed === move.text ? { says: "really {move}?", move: zone.label } : zone.label;
  const rings = html`<svg viewBox="0 0 40 40" aria-hidden="true">
    ${[5, 11, 17].map((r) => html`<circle key=${r} cx="20" cy="20" r=${r} />`)}</svg>`;
  return html`<div class="heap rap" data-zone=${zone.name}>
    ${
      move
        ? html`<button type="button" class="takes" data-nav tabindex="0" aria-label=${aloud(label, {}, true)}
          title=${move.does ? aloud(move.does, {}, true) : undefined}
          onClick=${() => press?.(move.text)}>${rings}</button>`
        : html`<span aria-hidden="true">${rings}</span>`
    }
    <span class="about" aria-hidden="true"><span class="label ${move ? "does" : ""}">
      <${Said} message=${label} sentence /></span></span>
  </div>`;
}

/** A heap of chips. @param {{count: number}} props */
const Chips = ({ count }) =>
  html`<span class="chips" aria-hidden="true">${Array.from(
    { length: Math.min(24, Math.max(0, count)) },
    (_, i) => html`<i key=${i} style=${{ "--i": i % 8, "--c": Math.floor(i / 8) }}></i>`,
  )}</span>`;

/** A card to put chips on: a click adds one, a button takes one back. @param {any} props */
function Stake({ zone, stake }) {
  const { n, more, put } = stake;
  const said = zone.on.map(spoken).join(", ");
  return html`<div class="money stake" data-zone=${zone.name} role="group"
    aria-label=${tr("{cards}: {n} {n:chip|chips} of yours", { cards: said, n })}>
    <button type="button" class="takes on" data-nav disabled=${!more}
      aria-label=${tr("One more chip on the {cards}", { cards: said })} onClick=${() => put(zone.name, 1)}>
      ${zone.on.map(
        (/** @type {string} */ card) => html`<${Card} key=${card} card=${card}
      still />`,
      )}${zone.count + n > 0 && html`<${Chips} count=${Math.min(zone.count + n, 8)} />`}</button>
    <span class="count"><button type="button" data-nav disabled=${!n}
      aria-label=${tr("One chip back from the {cards}", { cards: said })}
      onClick=${() => put(zone.name, -1)}>−</button>
      <b aria-hidden="true">${n}</b><button type="button" disabled=${!more} tabindex="-1" aria-hidden="true"
        onClick=${() => put(zone.name, 1)}>+</button></span>
  </div>`;
}

/**
 * Chips or markers in the middle; if they are on cards, with these.
 * @param {{zone: Zone, stake?: any}} props `stake`: the player is putting chips there
 */
export function Pot({ zone, stake = null }) {
  const cards = zone.on ?? [];
  const shown = useCounted(zone.count);
  if (stake) return html`<${Stake} zone=${zone} stake=${stake} />`;
  const [held] = zone.facts;
  if (cards.length)
    return html`<div class="money" data-zone=${zone.name} role="img"
      aria-label=${labelled(cards.map(spoken).join(", "), held ? aloud(held.message) : String(zone.count))}>
      <span class="on">${cards.map((card) => html`<${Card} key=${card} card=${card} still />`)}</span>
        ${zone.count > 0 && html`<${Chips} count=${Math.min(zone.count, 8)} />`}
      <b class=${zone.count ? "" : "none"} aria-hidden="true">${shown}</b>
    </div>`;
  const text = (/** @type {number} */ n) => n;
  return html`<div class="potzone" data-zone=${zone.name}><${Chips} count=${zone.count} /><span class="label"><b>
    ${
      held
        ? html`<${SaidCounted} message=${held.message} />`
        : html`<${Reading} n=${zone.count} shown=${shown} text=${text} />`
    }</b> <${Said} message=${zone.label} /></span>
    </div>`;
}

/** The columns of a patience. @param {any} props */
export function Columns({ zones, ...rest }) {
  return html`<div class="columns" style=${{ "--cols": zones.length }}>
    ${zones.map(
      (/** @type {Zone} */ zone) => html`<${Column} key=${zone.name} zone=${zone} ...${rest}
    moving=${zones.some((/** @type {Zone} */ one) => one.cards.some((card) => card && rest.can(one, card)))} />`,
    )}<span
    hidden id="why-stuck">${tr("it has no place to go now")}</span></div>`;
}

/**
 * A column of a patience.
 * @param {Drawn & {lifted: import("../hand/moves.js").Lifted | null,
 * advised: import("../hand/moves.js").Move | null, moving: boolean}} props `moving`: some card can be moved
 */
function Column({ zone, click, can, lifted, advised, moving }) {
  const here = lifted?.zone === zone.name ? zone.cards.lastIndexOf(lifted.card) : -1;
  const goal = lifted && lifted.goals.includes(zone.name);
  const said = labelled(aloud(zone.label), zone.cards.map(spoken).join(", ") || tr("empty"));
  return html`<section class="column ${goal ? "goal" : ""}" aria-label=${said} data-zone=${zone.name}>
    <i class="nth" aria-hidden="true">${zone.name.match(/\d+$/)?.[0]}</i>
    ${
      zone.cards.length
        ? html`<ul>${zone.cards.map((card, i) => {
            const last = zone.cards.lastIndexOf(card) === i;
            return html`<li key=${i} class=${card ? "" : "shut"}>${
              card
                ? html`<${CardButton} card=${card} zone=${zone} click=${click} can=${last && can(zone, card)}
                  chosen=${here >= 0 && i >= here} advised=${
                    last && advised?.source === zone.name && advised.cards?.[0] === card
                  } first=${i === zone.cards.length - 1} goal=${goal && i === zone.cards.length - 1}
                  why=${moving && !(last && can(zone, card)) ? "why-stuck" : undefined} />`
                : html`<${Card} card=${null} />`
            }</li>`;
          })}</ul>`
        : html`<button type="button" class="void ${goal ? "can" : ""}" data-nav onClick=${() => click(zone, "")}
          aria-label=${[aloud(zone.label), tr("empty"), goal && tr("the cards may go here")]
            .filter(Boolean)
            .join(", ")}></button>`
    }
  </section>`;
}

/** A zone that is shown as text. @param {{zone: Zone, table: any}} props */
export function Score({ zone, table }) {
  const [figure] = zone.facts.filter((fact) => fact.figure);
  if (figure) return html`<${Figure} fact=${figure} label=${zone.label} table=${table} />`;
  return html`<p class="fact told"><b><${Said} message=${zone.label} />
    </b> ${
      zone.facts.length
        ? zone.facts.map(
            (fact, i) => html`<${Said} key=${i} message=${fact.message}
    names=${table.names} you=${table.you} />`,
          )
        : zone.count
    }</p>`;
}

/**
 * The facts of a seat's zones in short, with the owners of what partners share; figures are drawn elsewhere.
 * @param {{zones: Zone[], table: any}} props
 */
export function Facts({ zones, table }) {
  return zones.flatMap((zone) =>
    zone.facts.map((fact, i) => {
      // another fact in its place is another number
      const key = `${zone.name} ${i} ${/** @type {any} */ (fact.message)?.says}`;
      if (fact.coins !== undefined)
        return html`<span class="fact coin" key=${key} title=${aloud(fact.message)}><i aria-hidden="true"></i>
          <span aria-hidden="true"><${Counted} n=${fact.coins} /></span
          ><span class="sr">${aloud(fact.message)}</span></span>`;
      const owners = zone.seats.map((seat) => ({ seat }));
      const shared = owners.length > 1 && !i;
      if (fact.figure && !shared) return null;
      const said = fact.figure
        ? owners
        : shared
          ? { says: "{fact} ({seats})", fact: fact.message, seats: owners }
          : fact.message;
      const cards = parts(fact.message).some((part) => part.card);
      return html`<span class="fact ${cards ? "list" : ""} ${fact.aid ? "aid" : ""}" key=${key}
        title=${fact.aid ? tr("Memory aid: a help that you have switched on") : undefined}>
        <${SaidCounted} message=${said} names=${table.names} you=${table.you} /></span>`;
    }),
  );
}
