/** The table as it is drawn: bar, players, middle, message, own hand, buttons, and log and chat at the side. */
import { html, useState } from "../browser/html.js";
import { about, Absent, Asked, idle, Offers, useRoom, Why } from "./actions.js";
import { Asking, inCompany, Reactions, shown, Watching } from "./company.js";
import { Caption, Moment } from "../motion/caption.js";
import { unaided } from "../motion/changes.js";
import { RuleStrip, useCoach, useExperience, usePointed } from "./coach.js";
import { useWindow } from "../browser/hooks.js";
import { Ending, replay } from "./ending.js";
import { arranged, platesAcross } from "./layout.js";
import { Line, LostSeat } from "../net/line.js";
import { Chat, ChatButton, Log } from "./log.js";
import { useTerms } from "../net/terms.js";
import { aloud, refusal, Said, tr } from "../text/message.js";
import { Middle } from "./middle.js";
import { advisedMove, effect, movesAt, spreadIn, tagged, togetherIn } from "../hand/moves.js";
import { Around, facesOff, Seat, zonesOf } from "./seats.js";
import { Dropped } from "../hand/dropped.js";
import { choose } from "../browser/store.js";
import { Voice } from "./voice.js";
import { Hand } from "./zones.js";
import { onward, told, winnersOf } from "./result.js";

/** @typedef {import("../hand/moves.js").Zone} Zone */
/** @typedef {ReturnType<typeof import("./session.js").useSession>} Session */
/** @typedef {ReturnType<typeof import("../hand/gestures.js").useGestures>} Gestures */

/**
 * What the parts of the table are drawn from.
 * @typedef {{view: any, table: any, you: number | null, turn: boolean, chose: import("../browser/store.js").Choices,
 * narrow: boolean, low: boolean, small: boolean, wide: boolean, aside: boolean, session: Session, gestures: Gestures,
 * open: (window: string) => void,
 * openRule: (rule: string) => void, round: number[], mine: Zone[], hand: Zone | undefined, ended: boolean,
 * won: number[], can: (zone: Zone, card: string) => boolean, set: import("../hand/moves.js").Together | null,
 * chips: import("../hand/moves.js").Spread | null, left: number, stakes: Record<string, any>, aim: any,
 * line: any, reasons: Record<string, any>, at: string, rules: string[], back: any,
 * result: {shown: any, show: (() => void) | null}}} Drawn
 *   `wide`: there is room for a drawer with log and chat; `aside`: it is open;
 *   `round`: the seats, from the player's on; `mine`: the zones
 *   of the player; `ended`: the deal is counted, which `won` have won; `left`: chips that are not put down yet; `aim`:
 *   the move of a hint; `line`: the message; `at`: the card under the pointer
 */

/** @param {any} props @returns {Omit<Drawn, "result">} */
function drawn({ session, gestures, windows, chose, ...rest }) {
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
  const waiting = view.actors
    .filter((/** @type {number} */ seat) => seat !== you)
    .map((/** @type {number} */ seat) => ({ seat }));
  // at its end a deal is counted, after all that happened in it has been shown
  const ended = (table.stage === "between" || table.stage === "over") && !session.shown.beat;
  const first = session.foreseen?.moves[0]; // of the remaining moves, or of the winning ones
  const goal = session.advice ?? (first ? { move: first } : null);
  return {
    ...rest,
    aside: rest.wide && chose.drawer,
    view,
    table,
    you,
    turn,
    chose,
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
    line: turn
      ? html`<${Asked} ...${{ view, table, set, chips, left, chosen, offers, lifted, openRule: windows.openRule }} />`
      : session.waits
        ? html`<span class="sending">${tr("Waiting for the server …")}</span>`
        : idle(table, waiting),
  };
}

/** The bar: the game, and the windows. @param {Drawn} props */
function Bar({ table, view, open, chose, wide }) {
  const number = table.daily
    ? ` · ${tr("deal of the day")}`
    : table.winnable
      ? ` · ${tr("winnable deal")}`
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
      ${
        inCompany(table) &&
        html`<${ChatButton} table=${table} click=${() => (wide ? choose({ drawer: true }) : open("chat"))} />`
      }
      <button type="button" class="quiet" onClick=${() => open("settings")} aria-label=${tr("Settings")}>⚙</button>
      <button type="button" class="quiet" onClick=${() => open("help")} aria-label=${tr("Keys and help")}>?</button>
      <button type="button" class="quiet" onClick=${() => open("menu")}>${tr("Menu")}</button>
    </nav>
  </header>`;
}

/**
 * What a seat shows: a reaction, or the latest line of the chat.
 * @param {any} said @param {import("./scene.js").Table} table
 */
export const heard = (said, table) => ({
  number: said.number,
  name: table.names[said.seat],
  text: said.kind === "reacted" ? shown(said.by) : table.chat.at(-1)?.text,
});

/** The players other than the one who looks. @param {Drawn} props */
function Others({ view, table, you, narrow, small, session, gestures, round, can, won }) {
  const { said } = session.state;
  const shut = round.length > (small ? 5 : narrow ? 8 : Infinity); // open hands would leave the middle no room
  const others = you === null ? round : round.slice(1);
  return html`<${Around} seats=${others} seat=${(/** @type {number} */ seat) =>
    html`<${Seat} key=${seat} place=${table.seats[seat]} view=${view} table=${table} now=${session.now}
      click=${gestures.click} can=${can} gain=${session.shown.gains.get(seat)} won=${won.includes(seat)} shut=${shut}
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
  const { view, table, you, turn, session, gestures, hand, line, reasons, at, aim, openRule } = props;
  const { refused, foreseen } = session;
  const coach = useCoach(props);
  const words = useTerms(table.game);
  const close = () => (choose({ coached: true }), session.setAdvice(null));
  const begun = gestures.chosen.length > 0 || gestures.lifted;
  const advice = begun ? "" : session.advice && aim ? session.advice.says : foreseen?.says;
  // it takes the place of the question, so that the table stays where it is
  const instead = advice && turn;
  const { rule } = view.prompt ?? {};
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
          : html`${turn && html`<b>${tr("Your turn")}</b><span class="sr">.</span> ${!instead && line}`}${
              over && html`<span class="sr">${told(view, table).map((one) => `${one}. `)}</span>`
            }${session.wondering && !session.quiet && html`<span class="advice">${tr("Thinking …")}</span>`}${
              (advice || coach.says) &&
              html`<span class="advice">${
                advice
                  ? html`<${Said} message=${advice} names=${table.names} you=${you} sentence words=${words} />`
                  : coach.says
              }${foreseen?.useful === false && html` ${tr("Take moves back, or begin a new deal.")}`}${
                instead && rule && html` <${Why} rule=${rule} openRule=${openRule} />`
              }${
                coach.there &&
                html` <button type="button" class="quiet" onClick=${close}
                aria-label=${tr("Close the coach")}>✕</button>`
              }</span>`
            }`
      }</span>
    ${!refused && !turn && html`<span>${line}</span>`}
    <span class="sr" aria-live="polite">${!turn && awaited(table, view) && line}</span>
    ${
      tip &&
      html`<span class="tip" aria-hidden="true"><span>
      <${Said} message=${refusal({ what: { moves: at }, why: tip })} names=${table.names} you=${you} /></span>
      ${reasons[at]?.rule && html` <small>${reasons[at].rule}</small>`}</span>`
    }
  </div>`;
}

/**
 * Whether the table waits for another person, who may take their time. @param {import("./scene.js").Table} table
 * @param {import("../hand/moves.js").View} view
 */
const awaited = (table, view) =>
  table.stage === "playing" && view.actors.some((seat) => seat !== table.you && table.seats[seat].kind === "person");

/** The player's own panel and hand. @param {Drawn} props */
function Own({ view, table, you, chose, session, gestures, hand, can, set, chips, aim, reasons, won }) {
  if (you === null || !(hand || table.seats.length > 1)) return null;
  const { refused } = session;
  const advised = set ? (aim?.cards ?? []) : (aim?.cards?.slice(0, 1) ?? []);
  return html`<h2 class="sr">${tr("You")}</h2><div class="own">
    <${Seat} place=${table.seats[you]} view=${view} table=${table} now=${session.now} mine click=${gestures.click}
      can=${can} gain=${session.shown.gains.get(you)} won=${won.includes(you)} />
    ${
      hand &&
      html`<${Hand} zone=${{ ...hand, asked: chips?.then }} can=${can}
      order=${chose.orders[table.game]}
      click=${gestures.click} chosen=${gestures.chosen} ready=${gestures.ready} wrong=${refused?.card}
      reasons=${reasons} names=${table.names} advised=${advised} />`
    }
  </div>`;
}

/** Buttons that are no moves. @param {Drawn} props */
function Tools({ view, table, you, chose, narrow, low, session, gestures, hand, open }) {
  const room = !(narrow || low) || table.stage === "playing"; // after a deal, a phone has none for them
  const by = (chose.orders[table.game] ?? hand?.order?.by) === "rank" ? "suit" : "rank"; // not the present one
  const sort = by === "rank" ? tr("Sort by rank") : tr("Sort by suit");
  const may = (/** @type {string} */ what) => table.may.includes(what);
  // what comes and goes keeps its place: a finger on its way would press another button
  const kept = room && you !== null && (table.stage === "playing" || table.stage === "between");
  const tricks = view.zones.some((/** @type {Zone} */ zone) => zone.kind === "trick");
  return html`<span class="tools">
    ${
      hand &&
      room &&
      html`<button type="button" class="quiet" style=${{ visibility: hand.count ? "visible" : "hidden" }}
      onClick=${() => choose({ orders: { ...chose.orders, [table.game]: by } })} aria-label=${sort}>
      ${narrow || low ? tr("Sort") : sort}</button>`
    }
    ${
      (may("hint") || (kept && table.hints)) &&
      html`<button type="button" class="quiet" disabled=${!may("hint")} onClick=${gestures.hint}>${tr("Hint")}</button>`
    }
    ${
      may("outlook") &&
      html`<button type="button" class="quiet" onClick=${session.outlook}
      aria-label=${tr("Any useful move left?")}>${narrow ? tr("Moves left?") : tr("Any useful move left?")}</button>`
    }
    ${
      may("winnable") &&
      html`<button type="button" class="quiet" onClick=${session.winnable}
      title=${tr("This looks at the hidden cards, and counts as a hint.")}>${tr("Still winnable?")}</button>`
    }
    ${
      (may("undo") || (kept && table.undo !== "never" && !table.live)) &&
      html`<button type="button" class="quiet" disabled=${!may("undo")} onClick=${gestures.undo}>
      ${tr("Undo", { context: "button" })}</button>`
    }
    ${
      table.seats.length === 1 &&
      you !== null &&
      html`<button type="button" class="quiet" onClick=${() => open("deal")}>${tr("New deal")}</button>`
    }
    ${
      (session.lastTrick || tricks) &&
      room &&
      html`<button type="button" class="quiet" disabled=${!session.lastTrick} onClick=${() => open("trick")}
      aria-label=${tr("Last trick")}>${narrow ? tr("Trick") : tr("Last trick")}</button>`
    }
    ${
      may("more") &&
      html`<button type="button" class="quiet" onClick=${() => session.send("more")}>
      ${narrow ? tr("+ time") : tr("More time")}</button>`
    }
  </span>`;
}

/** After a deal: its result, if it is not shown, and the next one. @param {Drawn} props */
function Onward({ view, table, you, turn, session, open, result }) {
  if (turn || table.stage === "playing") return null;
  const whole = table.stage === "over" && you !== null && !table.daily; // its replay can be seen
  return html`${result.show && html`<button type="button" onClick=${result.show}>${tr("Result")}</button>`}
    ${
      (whole || table.may.includes("review")) &&
      html`<button type="button" onClick=${() => (whole ? replay(table, `?review&deal=${view.deal}`) : open("review"))}>
      ${tr("Review")}</button>`
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
  const asked = {
    offers,
    chosen,
    table,
    you,
    advised: props.aim?.text,
    barred: props.turn ? props.view.refused : [],
    whole: !!set,
    play: gestures.offer,
    armed: gestures.armed,
    more: () => open("moves"),
    drop: gestures.putBack,
  };
  return html`<div class="actions ${chosen.length ? "choosing" : ""}" role="toolbar" aria-label=${tr("Moves")}>
    <${Tools} ...${props} />
    <${Asking} table=${table} lines=${session.state.log} send=${session.send} />
    <${Absent} table=${table} send=${session.send} now=${session.now} />
    ${
      (set || chips) &&
      !offers.length &&
      html`<button type="button" disabled>
      ${set ? aloud(set.ask, {}, true) : tr("{n} {n:chip|chips} left", { n: left })}</button>`
    }
    ${
      gestures.dropped && offers.length
        ? html`<${Dropped} at=${gestures.dropped} about=${about(offers)} close=${gestures.putBack}>
            <${Offers} ...${asked} apart /><//>`
        : html`<${Offers} ...${asked} />`
    }
    <${Onward} ...${props} />
  </div>`;
}

/** The result of a deal, rules that matter now, log and chat. @param {Drawn} props */
function Side({ table, you, narrow, session, rules, back, openRule, aside, result }) {
  if (!aside) return null;
  return html`<aside class="side" aria-label=${tr("Log and chat")}>${result.shown}${
    !narrow && html`<${RuleStrip} table=${table} rules=${rules} open=${openRule} />`
  }<h2>${tr("Log")} ${back}</h2>
    <${Log} lines=${session.state.log} names=${table.names} you=${you} onRule=${openRule} game=${table.game} />
    ${
      inCompany(table) &&
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

/**
 * The result of the deal that is over: `shown` in the drawer, if that is open, or over the table, which stays where it
 * is; `show`: brings it back.
 * @param {Omit<Drawn, "result">} props @param {{current: HTMLElement | null}} felt
 */
function useResult({ view, table, round, ended, aside, open, openRule }, felt) {
  const [away, setAway] = useState(""); // the deal whose result is not looked at
  const deal = `${table.match} ${view.deal}`;
  if (!ended) return { shown: null, show: null };
  if (away === deal && !aside) return { shown: null, show: () => setAway("") };
  const share = table.number ? () => open("share") : null;
  const shown = html`<${Ending} key=${deal} view=${view} table=${table} round=${round} felt=${felt} onRule=${openRule}
    share=${share} close=${aside ? null : () => setAway(deal)} />`;
  return { shown, show: null };
}

/** @param {any} props */
export function Felt({ felt, children, ...given }) {
  const size = useWindow();
  const most = drawn({ ...given, ...size });
  const props = { ...most, result: useResult(most, felt) };
  const { view, table, you, turn, chose, session, gestures, round, can, aim, stakes, ended } = props;
  useExperience(table, turn);
  usePointed(felt, aim);
  const n = table.seats.length;
  const how = arranged(size);
  const few = useRoom(gestures.offers, gestures.chosen);
  return html`<div class="live ${turn ? "turn" : ""} ${ended ? "ended" : ""} ${facesOff(view, n) ? "faceoff" : ""} ${
    props.aside ? "with-side" : ""
  } n${n}" ref=${felt} data-how=${how} style=${{ "--nplates": platesAcross(how, n - (you === null ? 0 : 1)) }}
    data-beat=${session.shown.beat?.kind ?? ""}>
    <${Bar} ...${props} />
    <${LostSeat} table=${table} send=${session.send} />
    <${Line} state=${session.state} />
    <${Watching} table=${table} />
    <main id="main" class="play" onClick=${session.skip}>
      <h2 class="sr">${tr("Players")}</h2>
      <${Others} ...${props} />
      <${Caption} shown=${session.shown} names=${table.names} you=${you} />
      <h2 class="sr">${tr("Table")}</h2>
      <${Middle} view=${view} table=${table} round=${round} click=${gestures.click} can=${can}
        chosen=${gestures.picked} lifted=${gestures.lifted} advised=${aim} held=${session.shown.held}
        collect=${session.skip} press=${gestures.offer} armed=${gestures.armed} stakes=${stakes}
        ring=${answering(table, view, session.now())}
        does=${(/** @type {Zone} */ zone, /** @type {string} */ card) =>
          (movesAt(view, zone, card)[0] ?? movesAt(view, zone, "")[0])?.label}
        tag=${(/** @type {Zone} */ zone, /** @type {string} */ card) =>
          turn ? tagged(view, zone, card, gestures.picked, few && !gestures.aloft ? gestures.offers : []) : null}>
        <${Moment} turned=${session.shown.beat?.turned} names=${table.names} you=${you} /><//>
      <${MessageLine} ...${props} />
      <${Own} ...${props} />
      <${Actions} ...${props} />
      ${!props.aside && props.result.shown}
    </main>
    <${Voice} lines=${session.state.log} all=${chose.tell === "all"} names=${table.names} you=${you} />
    <${Side} ...${props} />
    ${children}
  </div>`;
}
