/** The table as it is drawn: bar, players, middle, message, own hand, buttons, and log and chat at the side. */
import { html, useState } from "../browser/html.js";
import { Absent, Asked, idle, Offers } from "./actions.js";
import { Reactions, Watching } from "./company.js";
import { Caption } from "../motion/caption.js";
import { unaided } from "../motion/changes.js";
import { advised, alone, Coach, RuleStrip, useAdvice, useExperience, usePointed } from "./coach.js";
import { isNew, knows, lessonAt, turnsOf, unsure } from "../browser/experience.js";
import { useLow, useNarrow, useWide } from "../browser/hooks.js";
import { Ending } from "./ending.js";
import { Line, LostSeat } from "../net/line.js";
import { Chat, Log } from "./log.js";
import { useTerms } from "../net/terms.js";
import { aloud, refusal, Said, tr, written } from "../text/message.js";
import { Middle } from "./middle.js";
import { advisedMove, called, effect, movesAt, resolveMove, spreadIn, togetherIn } from "../hand/moves.js";
import { Around, Seat, zonesOf } from "./seats.js";
import { Alone } from "./alone.js";
import { choose } from "../browser/store.js";
import { Voice } from "./voice.js";
import { Hand } from "./zones.js";
import { onward, outcome, winnersOf } from "./result.js";

/** @typedef {import("../hand/moves.js").Zone} Zone */
/** @typedef {ReturnType<typeof import("./session.js").useSession>} Session */
/** @typedef {ReturnType<typeof import("../hand/gestures.js").useGestures>} Gestures */

/**
 * What the parts of the table are drawn from.
 * @typedef {{view: any, table: any, you: number | null, turn: boolean, chose: import("../browser/store.js").Choices,
 * narrow: boolean, wide: boolean, session: Session, gestures: Gestures, open: (window: string) => void,
 * openRule: (rule: string) => void, round: number[], mine: Zone[], hand: Zone | undefined, ended: boolean,
 * won: number[], can: (zone: Zone, card: string) => boolean, set: import("../hand/moves.js").Together | null,
 * chips: import("../hand/moves.js").Spread | null, left: number, stakes: Record<string, any>, aim: any,
 * playable: number, line: any, reasons: Record<string, any>, at: string, rules: string[], back: any}} Drawn
 *   `wide`: there is room for a drawer with log and chat; `round`: the seats, from the player's on; `mine`: the zones
 *   of the player; `ended`: the deal is counted, which `won` have won; `left`: chips that are not put down yet; `aim`:
 *   the move of a hint; `line`: the message; `at`: the card under the pointer
 */

/** @param {any} props @returns {Drawn} */
function drawn({ session, gestures, windows, chose, narrow, wide, ...rest }) {
  const { turn } = session;
  const { table } = session.state;
  const view = chose.aids ? session.state.view : unaided(session.state.view);
  const { you } = table;
  const n = table.seats.length;
  const { chosen, lifted, offers, spread } = gestures;
  const mine = you === null ? [] : zonesOf(view, you);
  const hand = mine.find((zone) => zone.kind === "hand");
  const set = turn ? togetherIn(view) : null;
  const chips = turn ? spreadIn(view) : null;
  const put = /** @type {number[]} */ (spread ?? chips?.start ?? []);
  const left = chips ? chips.chips - put.reduce((a, b) => a + b, 0) : 0;
  /** Put a chip on a card, or take one back; if all are down, it comes from the card that has the most of them. */
  const putChip = (/** @type {string} */ name, /** @type {number} */ by) => {
    const on = chips?.on ?? [];
    const others = on.filter((one) => one !== name);
    const most = Math.max(...others.map((one) => put[on.indexOf(one)]));
    if (by > 0 && !left) gestures.putChip(others.find((one) => put[on.indexOf(one)] === most) ?? name, -1);
    gestures.putChip(name, by);
  };
  const stakes = Object.fromEntries(
    (chips?.on ?? []).map((name, i) => [
      name,
      { n: put[i], left, more: left > 0 || put.some((n, at) => at !== i && n > 0), put: putChip },
    ]),
  );
  const can = (/** @type {Zone} */ zone, /** @type {string} */ card) => movesAt(view, zone, card).length > 0;
  const playable = hand ? hand.cards.filter((card) => card && can(hand, card)).length : 0;
  const waiting = view.actors
    .filter((/** @type {number} */ seat) => seat !== you)
    .map((/** @type {number} */ seat) => ({ seat }));
  // at its end a deal is counted, after all that happened in it has been shown
  const ended = (table.stage === "between" || table.stage === "over") && !session.shown.beat;
  const first = session.foreseen?.moves[0]; // of the remaining moves, or of the winning ones
  const goal = session.advice ?? (first ? { move: first } : null);
  return {
    ...rest,
    view,
    table,
    you,
    turn,
    chose,
    narrow,
    wide,
    session,
    gestures,
    open: windows.open,
    openRule: windows.openRule,
    round: Array.from({ length: n }, (_, i) => ((you ?? 0) + i) % n),
    mine,
    hand,
    ended,
    won: ended ? winnersOf(view, table) : [],
    can,
    set,
    chips,
    left,
    stakes,
    aim: goal ? advisedMove(view, goal) : null,
    playable,
    line: turn
      ? html`<${Asked} ...${{ view, table, set, chips, left, chosen, offers, lifted, openRule: windows.openRule }} />`
      : idle(table, waiting),
  };
}

/** The bar: the game, and the windows. @param {Drawn} props */
function Bar({ table, view, open, chose, wide }) {
  const number = table.daily
    ? ` · ${tr("deal of the day")}`
    : table.winnable
      ? ` · ${tr("can be won")}`
      : table.number
        ? ` · ${tr("no. {number}", { number: table.number })}`
        : "";
  return html`<header class="bar">
    <a href="/" class="home" aria-label=${tr("Cardtable, first page")}>
      <span aria-hidden="true" translate=${false}>♠︎<span> Cardtable</span></span></a>
    <h1>${tr(table.title)} <small>${tr("deal {n}", { n: view.deal })}${number}</small></h1>
    <nav aria-label=${tr("Table")}>
      <button type="button" class="quiet" onClick=${() => open("rules")}>${tr("Rules")}</button>
      <button type="button" class="quiet talk" aria-expanded=${wide ? String(chose.drawer) : undefined}
        onClick=${() => (wide ? choose({ drawer: !chose.drawer }) : open("talk"))}>${tr("Log")}</button>
      <button type="button" class="quiet" onClick=${() => open("settings")} aria-label=${tr("Settings")}>⚙</button>
      <button type="button" class="quiet" onClick=${() => open("help")} aria-label=${tr("Keys and help")}>?</button>
      <button type="button" class="quiet" onClick=${() => open("menu")}>${tr("Menu")}</button>
    </nav>
  </header>`;
}

/**
 * Whether the coach is there: in the first few own turns of a game.
 * @param {import("./scene.js").Table} table @param {any} chose
 */
const coaching = (table, chose) =>
  !chose.coached && !knows(table.game, table.preset) && table.you !== null && table.stage === "playing";

/**
 * The coach. In the first turn of a game it offers a first hand. If all others are bots, it asks for a hint
 * automatically in the first turns, but not in a deal of the day: there, attempts with hints are marked.
 * @param {Drawn} props
 */
function Coached({ view, table, you, turn, chose, session, gestures, aim, line, open }) {
  const [first] = useState(() => isNew(table.game, table.preset) && alone(view, table));
  const low = useLow();
  const narrow = useNarrow();
  const there = coaching(table, chose);
  const { chosen, lifted, offers } = gestures;
  const { advice, wondering, refused, shown } = session;
  const may = turn && table.may.includes("hint");
  const idle = !advice && !wondering && !refused && !shown.beat && !chosen.length && !lifted;
  const company = table.seats.some((/** @type {any} */ place) => place.kind === "person" && place.seat !== you);
  const told = may && !company && !table.daily && unsure(table.game, table.preset);
  useAdvice(there && told && idle && view.legal.length > 1, gestures.hint);
  if (!there) return null;
  const small = (low || narrow) && turn; // there, the coach takes the place of the message
  const thinks = wondering || (told && idle && view.legal.length > 1);
  const where = !turn || unsure(table.game, table.preset); // later, the game's question is enough
  const says = thinks
    ? tr("Thinking …")
    : aim || where
      ? advised({ view, table, turn, chosen, lifted, offers, aim })
      : "";
  const lesson = first && turnsOf(table.game, table.preset) < 2 ? lessonAt(table.game, table.preset, table.id) : "";
  return html`<${Coach} told=${small && !aim && !wondering ? "" : says} asked=${small ? line : ""} thinks=${thinks}
    lesson=${lesson} game=${table.game}
    close=${() => choose({ coached: true })}
    hint=${may && !aim && !thinks ? gestures.hint : null} rules=${() => open("rules")} />`;
}

/**
 * What a seat shows: a reaction, or the latest line of the chat.
 * @param {any} said @param {import("./scene.js").Table} table
 */
export const heard = (said, table) => ({
  number: said.number,
  name: table.names[said.seat],
  text: said.kind === "reacted" ? said.by : table.chat.at(-1)?.text,
});

/** The players other than the one who looks. @param {Drawn} props */
function Others({ view, table, you, session, gestures, round, can, won }) {
  const { said } = session.state;
  const others = you === null ? round : round.slice(1);
  return html`<${Around} seats=${others} seat=${(/** @type {number} */ seat) =>
    html`<${Seat} key=${seat} place=${table.seats[seat]} view=${view} table=${table} now=${session.now}
      click=${gestures.click} can=${can} gain=${session.shown.gains.get(seat)} won=${won.includes(seat)}
      said=${said?.seat === seat ? heard(said, table) : null} />`} />`;
}

/** What was refused, and why. @param {Drawn} props */
function Refused({ table, you, session: { refused }, openRule }) {
  const words = useTerms(table.game);
  return html`<span><${Said} message=${refusal(refused)} names=${table.names} you=${you} sentence words=${words} />
    </span>
    ${
      refused.rule &&
      html`<button type="button" class="rule" onClick=${() => openRule(refused.rule)}
      title=${tr("Rule {rule}", { rule: refused.rule })}>${tr("Why?")}</button>`
    }`;
}

/** What was refused, or what the player is asked, or whom the table waits for. @param {Drawn} props */
function MessageLine(props) {
  const { view, table, you, turn, session, gestures, hand, line, reasons, at, chose, aim } = props;
  const { refused } = session;
  const coached = coaching(table, chose) && turn; // the coach says it
  const advice = coached || !session.advice ? null : aim;
  const wondering = session.wondering && !coached;
  const over = (table.stage === "between" || table.stage === "over") && !session.shown.beat;
  const tip =
    !refused && !gestures.chosen.length && at
      ? (reasons[at]?.why ??
        effect(view, at) ??
        (gestures.lifted || hand?.cards.includes(at) ? "" : { says: "it has no place to go now" }))
      : "";
  return html`<div class="message ${refused ? "bad" : ""}"><span class="now" aria-live="assertive">
      ${
        refused
          ? html`<${Refused} ...${props} />`
          : html`${turn && html`<b>${tr("Your turn")}</b><span class="sr">.</span> ${line}`}${
              over && html`<span class="sr">${outcome(view, table)}.</span>`
            }${wondering && html`<span class="advice">${tr("Thinking …")}</span>`}${
              advice &&
              html`<span class="advice">
            <${Said} message=${{ says: "Hint: {move}", move: called(advice) }} /></span>`
            }${
              session.foreseen &&
              html`<span class="advice"><${Said} message=${session.foreseen.says} names=${table.names} you=${you} />
              ${session.foreseen.useful === false && html` ${tr("Take moves back, or begin a new deal.")}`}</span>`
            }`
      }</span>
    ${!refused && !turn && html`<span>${line}</span>`}
    ${
      tip &&
      html`<span class="tip" aria-hidden="true"><span>
      <${Said} message=${{ moves: at }} />: <${Said} message=${tip} names=${table.names} you=${you} /></span>
      ${reasons[at]?.rule && html` <small>${reasons[at].rule}</small>`}</span>`
    }
  </div>`;
}

/** The player's own panel and hand. @param {Drawn} props */
function Own({ view, table, you, chose, narrow, session, gestures, hand, can, set, chips, aim, reasons, won, ended }) {
  if (you === null || !(hand || table.seats.length > 1)) return null;
  const { refused } = session;
  const advised = set ? (aim?.cards ?? []) : (aim?.cards?.slice(0, 1) ?? []);
  return html`<h2 class="sr">${tr("You")}</h2><div class="own">
    <${Seat} place=${table.seats[you]} view=${view} table=${table} now=${session.now} mine click=${gestures.click}
      can=${can} gain=${session.shown.gains.get(you)} won=${won.includes(you)} />
    ${
      hand &&
      html`<${Hand} zone=${{ ...hand, asked: chips?.then }} can=${can} ended=${ended}
      order=${chose.orders[table.game]} narrow=${narrow}
      click=${gestures.click} chosen=${gestures.chosen} ready=${gestures.ready} wrong=${refused?.card}
      reasons=${reasons} names=${table.names} advised=${advised} />`
    }
  </div>`;
}

/** Buttons that are no moves. @param {Drawn} props */
function Tools({ table, you, chose, narrow, session, gestures, hand, open }) {
  const low = useLow();
  const room = !(narrow || low) || table.stage === "playing"; // after a deal, a phone has none for them
  const by = (chose.orders[table.game] ?? hand?.order?.by) === "rank" ? "suit" : "rank"; // not the present one
  const sort = by === "rank" ? tr("Sort by rank") : tr("Sort by suit");
  const may = (/** @type {string} */ what) => table.may.includes(what);
  return html`<span class="tools">
    ${
      hand &&
      room &&
      html`<button type="button" class="quiet"
      onClick=${() => choose({ orders: { ...chose.orders, [table.game]: by } })} aria-label=${sort}>
      ${narrow ? tr("Sort") : sort}</button>`
    }
    ${may("hint") && html`<button type="button" class="quiet" onClick=${gestures.hint}>${tr("Hint")}</button>`}
    ${
      may("outlook") &&
      html`<button type="button" class="quiet" onClick=${session.outlook}>${tr("Any useful move left?")}</button>`
    }
    ${
      may("winnable") &&
      html`<button type="button" class="quiet" onClick=${session.winnable}
      title=${tr("This looks at the hidden cards, and counts as a hint.")}>${tr("Still winnable?")}</button>`
    }
    ${
      may("undo") &&
      html`<button type="button" class="quiet" onClick=${gestures.undo}>${tr("Undo", { context: "button" })}</button>`
    }
    ${table.seats.length === 1 && you !== null && html`<${Alone} table=${table} send=${session.send} />`}
    ${
      may("more") &&
      html`<button type="button" class="quiet" onClick=${() => session.send("more")}>
      ${narrow ? tr("+ time") : tr("More time")}</button>`
    }
    ${
      session.lastTrick &&
      room &&
      html`<button type="button" class="quiet" onClick=${() => open("trick")}
      aria-label=${tr("Last trick")}>${narrow ? tr("Trick") : tr("Last trick")}</button>`
    }
  </span>`;
}

/** Somebody's question whether they may take a move back. @param {Drawn} props */
function Asking({ table, session: { send } }) {
  if (!table.ask) return null;
  const question = { says: "{source} {source:asks|asked} to take back", source: { seat: table.ask.seat } };
  return html`<span class="ask" role="alert">${written(question, table, true)}
    ${
      table.may.includes("answer") &&
      html`<button type="button" onClick=${() => send("answer", { yes: true })}>
      ${tr("Agree")}</button><button type="button" onClick=${() => send("answer", { yes: false })}>
      ${tr("No")}</button>`
    }</span>`;
}

/** After a deal: its result, and the next one. @param {Drawn} props */
function Onward({ table, turn, session, open }) {
  if (turn || table.stage === "playing") return null;
  return html`<button type="button" onClick=${() => open("sheet")}>${tr("Result")}</button>
    ${
      table.may.includes("review") &&
      html`<button type="button" onClick=${() => open("review")}>${tr("Review")}</button>`
    }
    ${
      table.may.includes("ready") &&
      html`<button type="button" class="primary" data-onward
      onClick=${() => (open(""), session.send("ready"))}>${onward(table)}</button>`
    }`;
}

/** The buttons below the hand. @param {Drawn} props */
function Actions(props) {
  const { table, you, session, gestures, set, chips, left, open } = props;
  const { chosen, offers } = gestures;
  return html`<div class="actions ${chosen.length ? "choosing" : ""}" role="toolbar" aria-label=${tr("Moves")}>
    <${Tools} ...${props} />
    <${Asking} ...${props} />
    <${Absent} table=${table} send=${session.send} now=${session.now} />
    ${
      (set || chips) &&
      !offers.length &&
      html`<button type="button" disabled>
      ${set ? aloud(set.ask, {}, true) : tr("{n} {n:chip|chips} left", { n: left })}</button>`
    }
    <${Offers} offers=${offers} advised=${props.aim?.text} barred=${props.turn ? props.view.refused : []}
      chosen=${chosen} whole=${!!set} table=${table} play=${gestures.offer}
      armed=${gestures.armed} more=${() => open("moves")} drop=${gestures.putBack} you=${you} />
    <${Onward} ...${props} />
  </div>`;
}

/** Rules that matter now, log and chat. @param {Drawn} props */
function Side({ table, you, narrow, session, rules, back, openRule, chose, wide }) {
  if (!wide || !chose.drawer) return null;
  return html`<aside class="side" aria-label=${tr("Log and chat")}>${
    !narrow && html`<${RuleStrip} table=${table} rules=${rules} open=${openRule} />`
  }<h2>${tr("Log")} ${back}</h2>
    <${Log} lines=${session.state.log} names=${table.names} you=${you} onRule=${openRule} game=${table.game} />
    ${
      table.seats.length > 1 &&
      html`<h2>${tr("Chat")}</h2>
      <${Chat} table=${table} say=${(/** @type {string} */ text) => session.send("say", { text })} />
      <${Reactions} table=${table} send=${session.send} />`
    }</aside>`;
}

/**
 * The time in which several players may answer, if such a window is open.
 * @param {import("./scene.js").Table} table @param {import("../hand/moves.js").View} view @param {number} now
 */
const answering = (table, view, now) =>
  table.window > 0 && table.deadline > now && view.actors.length > 0
    ? { until: table.deadline, span: table.span, gone: Math.max(0, now - (table.deadline - table.span)) }
    : null;

/** @param {any} props */
export function Felt({ felt, children, ...given }) {
  const props = drawn({ ...given, narrow: useNarrow(), wide: useWide() });
  const { view, table, you, turn, chose, session, gestures, round, can, aim, stakes, ended } = props;
  useExperience(table, turn);
  usePointed(felt, aim);
  const n = table.seats.length;
  const faceOff = n === 2 && view.zones.some((/** @type {Zone} */ zone) => zone.seats.length && zone.kind === "stock");
  return html`<div class="live ${turn ? "turn" : ""} ${faceOff ? "faceoff" : ""} ${
    props.wide && chose.drawer ? "with-side" : ""
  } n${n}" ref=${felt}
    data-beat=${session.shown.beat?.kind ?? ""}>
    <${Bar} ...${props} />
    <${LostSeat} table=${table} send=${session.send} />
    <${Line} state=${session.state} />
    <${Watching} table=${table} />
    <${Coached} ...${props} />
    <main id="main" class="play" onClick=${session.skip}>
      <h2 class="sr">${tr("Players")}</h2>
      <${Others} ...${props} />
      <${Caption} shown=${session.shown} names=${table.names} you=${you} />
      <h2 class="sr">${tr("Table")}</h2>
      <${Middle} view=${view} table=${table} round=${round} click=${gestures.click} can=${can}
        chosen=${gestures.chosen} lifted=${gestures.lifted} advised=${aim} held=${session.shown.held}
        collect=${session.skip} press=${gestures.offer} armed=${gestures.armed} stakes=${stakes}
        ring=${answering(table, view, session.now())}
        does=${(/** @type {Zone} */ zone, /** @type {string} */ card) =>
          (movesAt(view, zone, card)[0] ?? movesAt(view, zone, "")[0])?.label}
        fits=${(/** @type {Zone} */ zone, /** @type {string} */ card) =>
          turn && gestures.chosen.length > 0 && resolveMove(view, zone, card, gestures.chosen).length > 0}>${
          ended &&
          html`<${Ending} key=${`${table.match} ${view.deal}`} view=${view} table=${table} round=${round}
            felt=${felt} />`
        }<//>
      <${MessageLine} ...${props} />
      <${Own} ...${props} />
      <${Actions} ...${props} />
    </main>
    <${Voice} lines=${session.state.log} all=${chose.tell === "all"} names=${table.names} you=${you} />
    <${Side} ...${props} />
    ${children}
  </div>`;
}
