/** The table itself: draws what the server sends, and sends clicks and keys back. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { get } from "./api.js";
import { TableSocket } from "./socket.js";
import { Shuffler } from "./shuffle.js";
import { choices, choose, paced } from "./store.js";
import { places, run } from "./motion.js";
import {
  calledSo,
  effect,
  gesture,
  resolveMove,
  movesAt,
  offered,
  spreadIn,
  togetherIn,
  toggled,
  needsConfirm,
} from "./moves.js";
import { drags } from "./drag.js";
import { aloud, refusal, Said, tr, written } from "./message.js";
import { isCard } from "./cards.js";
import { Hand } from "./zones.js";
import { Middle } from "./middle.js";
import { Seat, zonesOf } from "./seats.js";
import { Chat, Log, lines } from "./log.js";
import { onward } from "./sheet.js";
import { Lobby } from "./lobby.js";
import { PlainTable } from "./plain.js";
import { keys } from "./keys.js";
import { chime } from "./sound.js";
import { call, cue } from "./cue.js";
import { useChoices, useNarrow } from "./hooks.js";
import { useReasons } from "./reasons.js";
import { advised, Coach, RuleStrip, speaking } from "./coach.js";
import { Voice } from "./voice.js";
import { Caption, captions } from "./caption.js";
import { remembered } from "./past.js";
import { furnished, ended, gained } from "./changes.js";
import { Asked, idle, Absent, Offers } from "./actions.js";
import { OpenWindow } from "./windows.js";
import { HeldUp, Line, LostSeat } from "./line.js";
import { seenByOthers, Thinking } from "./thinking.js";

/** @typedef {import("./moves.js").Zone} Zone */

const BEGINS = ["started", "next-deal", "rematch"]; // happenings that are shown even to somebody who has just arrived

/** @param {{id: string}} props */
export function TablePage({ id }) {
  const [state, setState] = useState(
    /** @type {any} */ ({ table: null, view: null, log: [], past: [], up: false, held: null, failed: "" }),
  );
  const [refused, setRefused] = useState(/** @type {any} */ (null));
  const [advice, setAdvice] = useState(/** @type {any} */ (null));
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  // the chips that are being put down, for each zone
  const [spread, setSpread] = useState(/** @type {number[] | null} */ (null));
  // for the captions
  const [news, setNews] = useState(
    /** @type {{key: number, captions: import("./message.js").Value[][]} | null} */ (null),
  );
  const [ready, setReady] = useState(""); // a card chosen before the player's turn
  const [lifted, setLifted] = useState(/** @type {import("./moves.js").Lifted | null} */ (null));
  const [held, setHeld] = useState(/** @type {Zone | null} */ (null)); // a trick that stays on the table for a moment
  const [lastTrick, setLastTrick] = useState(/** @type {Zone | null} */ (null));
  // what each seat has just paid or received
  const [gains, setGains] = useState(/** @type {{key: number, gains: Map<number, number>} | null} */ (null));
  const [armed, setArmed] = useState(""); // a move that needs confirmation and was chosen once
  const [sent, setSent] = useState(-1); // the version at which an unanswered move was sent
  const [opened, setOpened] = useState(/** @type {string} */ ("")); // the window that is open
  const [rule, setRule] = useState("");
  const [code, setCode] = useState("");
  const chose = useChoices();
  const narrow = useNarrow();
  const felt = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(/** @type {any} */ ({ places: new Map(), width: 0, laid: new Map() }));
  const socket = useRef(/** @type {TableSocket | null} */ (null));
  const latest = useRef(state);
  latest.current = state;
  const because = useRef(/** @type {(m: any) => void} */ (() => undefined));
  const thinking = useRef(/** @type {Thinking | null} */ (null));
  thinking.current ??= new Thinking();
  const kept = useRef(false); // after taking back, the only legal move is not made automatically

  useEffect(() => {
    const open = new TableSocket(id, {
      state(m) {
        const past = latest.current;
        const table = furnished(m.table);
        const fresh = m.since === 0 ? [] : m.happened;
        const laid = new Map();
        for (const one of fresh)
          for (const event of one.events ?? [])
            if (event.card && event.source !== null && event.source !== undefined) laid.set(event.card, event.source);
        if (felt.current) before.current = { places: places(felt.current), width: innerWidth, laid };
        const log = m.since === 0 ? lines(m.happened, table) : [...past.log, ...lines(fresh, table)].slice(-400);
        const trick = ended(past.view, m.view, fresh);
        if (trick) {
          setLastTrick(trick);
          const wait = chose.speed === "instant" ? 0 : chose.speed === "fast" ? 600 : 1200;
          if (wait) {
            setHeld(trick);
            setTimeout(() => setHeld((one) => (one === trick ? null : one)), wait);
          }
        }
        const gains = gained(fresh);
        if (gains.size) {
          const shown = { key: m.version, gains };
          setGains(shown);
          setTimeout(() => setGains((/** @type {any} */ one) => (one === shown ? null : one)), 2200);
        }
        const said = [...fresh].reverse().find((one) => one.kind === "said");
        const seen = remembered(m.since === 0 ? [] : past.past, {
          version: m.version,
          view: m.view,
          lines: lines(fresh, table),
        });
        const next = {
          ...past,
          table,
          view: m.view,
          log,
          past: seen,
          up: true,
          version: m.version,
          said,
          sent: past.sent ?? -1,
        };
        latest.current = next;
        setState(next);
        shuffler.see(table).then((told) => setState((/** @type {any} */ s) => ({ ...s, ...told })));
        setAdvice(null);
        setArmed("");
        setLifted(null);
        if (m.view?.legal.join() !== past.view?.legal.join()) {
          setChosen([]);
          setSpread(null);
          thinking.current?.offered(m.view?.legal.length ?? 0, performance.now());
        }
        const begun =
          m.since === 0 ? m.happened.slice(-1).filter((/** @type {any} */ one) => BEGINS.includes(one.kind)) : fresh;
        const told = captions(begun, table.seats.length);
        if (told.length) setNews({ key: m.version, captions: told });
        if (fresh.some((/** @type {any} */ one) => one.seat === table.you)) setRefused(null);
        if (fresh.some((/** @type {any} */ one) => one.kind === "undone" && one.seat === table.you))
          kept.current = true;
        const turn = m.view?.legal.length > 0;
        if (turn && !(past.view?.legal.length > 0 && past.version === m.version)) call(tr(table.title));
        if (table.stage !== past.table?.stage && (table.stage === "between" || table.stage === "over"))
          setTimeout(() => setOpened("sheet"), paced(900));
        else if (table.stage === "playing" && past.table?.stage !== "playing")
          setOpened((one) => (one === "sheet" ? "" : one));
      },
      refused(m, command) {
        if (["commit", "reveal"].includes(command?.type)) return; // too late: the match begins without this part
        if (m.code === "table/missing" || (m.seq === 0 && !latest.current.table))
          return setState((/** @type {any} */ s) => ({ ...s, failed: written(refusal(m), {}, true) }));
        latest.current.sent = -1;
        setSent(-1);
        setRefused({
          ...m,
          card: command?.type === "move" && isCard(command.move) ? command.move : "",
          key: Date.now(),
        });
        chime("no");
      },
      dismissed: (m) =>
        setState((/** @type {any} */ s) => ({ ...s, table: null, failed: written(refusal(m), {}, true) })),
      advice: (m) => latest.current.view?.legal.includes(m.move) && setAdvice(m), // the match may have gone on
      because: (m) => because.current(m),
      line: (up) => setState((/** @type {any} */ s) => ({ ...s, up })),
      held(why) {
        latest.current = { ...latest.current, held: why }; // the next state may come before this one is drawn
        setState((/** @type {any} */ s) => ({ ...s, held: why }));
      },
    });
    const shuffler = new Shuffler((type, fields) => open.command(type, fields));
    socket.current = open;
    get(`/api/tables/${encodeURIComponent(id)}`)
      .then((told) => setCode(told.code))
      .catch(
        (error) =>
          error.status === 404 &&
          setState((/** @type {any} */ s) => ({
            ...s,
            failed: tr("There is no such table. Perhaps it was closed, or the address is not complete."),
          })),
      );
    return () => open.close();
  }, [id]);

  const { table, view } = state;
  useEffect(() => {
    if (!ready || !view) return;
    if (!view.hand.includes(ready)) setReady("");
    else if (view.legal.length)
      setChosen((cards) =>
        cards.length || !view.legal.some((/** @type {string} */ move) => move.startsWith(ready)) ? cards : [ready],
      );
  }, [state.version]);
  const you = table?.you ?? null;
  const turn = view?.legal.length > 0 && sent !== state.version;
  const seen = table !== null && seenByOthers(table);

  const now = () => Date.now() + (socket.current?.skew ?? 0);
  const { reasons, at, heard } = useReasons(felt, turn, state.version, (moves) =>
    socket.current?.say("why", { moves }),
  );
  because.current = heard;
  useEffect(
    () => void (you !== null && socket.current?.say("pace", { speed: chose.speed })),
    [you, chose.speed, state.up, table?.stage],
  );
  useEffect(() => {
    // the first hand has been played
    if (table && !chose.coached && (table.stage === "between" || table.stage === "over")) choose({ coached: true });
  }, [table?.stage]);
  useEffect(() => {
    if (!chose.auto || !turn || table?.live || view.legal.length !== 1 || kept.current) return undefined;
    const [only] = view.legal;
    const wait = thinking.current?.left(seen, performance.now());
    const timer = setTimeout(() => latest.current.version === state.version && play(only), wait);
    return () => clearTimeout(timer);
  }, [chose.auto, turn, state.version, seen]);
  useEffect(() => cue(turn, table ? tr(table.title) : "Cardtable"), [turn, table?.title]);
  useLayoutEffect(() => {
    const { places: old, width, laid } = before.current;
    if (felt.current && width === innerWidth) run(felt.current, old, laid);
  }, [state.version, held]);

  const send = (/** @type {string} */ type, /** @type {any} */ fields = {}) => socket.current?.command(type, fields);
  const play = (/** @type {string} */ move) => {
    setChosen([]);
    setReady("");
    setArmed("");
    setLifted(null);
    setRefused(null);
    setAdvice(null);
    if (latest.current.sent === latest.current.version) return; // a second click before the answer to the first
    kept.current = false;
    thinking.current?.sent(performance.now());
    latest.current.sent = latest.current.version;
    setSent(latest.current.version);
    send("move", { move, at: latest.current.version });
  };
  /** A move that is offered as a button; if it needs confirmation, ask first. */
  const offer = (/** @type {string} */ move) => {
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
    const seen = latest.current.view;
    setHeld(null);
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
  const act = {
    hint: () => mayNow("hint") && socket.current?.say("hint"),
    undo: () => mayNow("undo") && send("undo"),
    open: setOpened,
    play: offer,
    click,
    mute: () => choose({ sound: !choices().sound }),
  };
  useEffect(
    () =>
      keys(
        felt,
        latest,
        {
          ...act,
          drop: () => {
            setChosen([]);
            setReady("");
            setLifted(null);
            setArmed("");
            setRefused(null);
            setHeld(null);
          },
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
  };
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
        return moves.length === 1 ? play(moves[0].text) : dragged.current.click(from, card);
      },
      (name, card) => find(name)?.kind === "column" && dragged.current.lift(find(name), card),
    );
  }, []);

  if (state.failed)
    return html`<main class="page" id="main"><h1>${tr("No table here")}</h1><p>${state.failed}</p><p>
      <a class="button primary" href="/">${tr("To the first page")}</a></p></main>`;
  if (!table)
    return html`<main class="page" id="main"><p class="loading" role="status">${tr("Coming to the table …")}</p>
      <${HeldUp} why=${state.held} /></main>`;
  const openRule = (/** @type {string} */ one) => {
    setRule(one);
    setOpened("rules");
  };
  const rules = speaking(reasons, state.log);
  const back =
    state.past.length > 1 &&
    html`<button type="button" class="rule" onClick=${() => setOpened("past")}>◀ ${tr("look back")}</button>`;
  /** Open a window; an empty name closes the one that is open. @param {string} name */
  const open = (name) => {
    setOpened(name);
    if (!name) setRule("");
  };
  const windows = html`<${OpenWindow} key=${opened} opened=${opened} state=${state} rule=${rule} rules=${rules}
    offers=${view ? offered(view, chosen, spread) : []} code=${code} back=${back} lastTrick=${lastTrick} open=${open}
    openRule=${openRule} play=${play} send=${send} />`;
  if (table.stage === "closed")
    return html`<main class="page" id="main"><h1>${tr("This table is closed")}</h1>
      ${table.closed && html`<p>${tr("The operator has closed it: {reason}", { reason: table.closed })}</p>`}<p>
      <a class="button primary" href="/">${tr("To the first page")}</a></p></main>`;
  if (table.stage === "lobby" || !view)
    return html`<${Line} state=${state} /><${Lobby} table=${table} send=${send} code=${code} />
      ${
        refused &&
        html`<p class="toast" role="alert"><${Said} message=${refusal(refused)} names=${table.names}
      you=${you} sentence /></p>`
      }${windows}`;
  if (chose.plain)
    return html`<${LostSeat} table=${table} send=${send} /><${Line} state=${state} />
      <${PlainTable} view=${view} table=${table} lines=${state.log} play=${play} send=${send}
      refused=${refused} advice=${advice} hint=${act.hint} leave=${() => choose({ plain: false })}
      all=${chose.tell === "all"} />`;

  const n = table.seats.length;
  const round = Array.from({ length: n }, (_, i) => ((you ?? 0) + i) % n);
  const others = you === null ? round : round.slice(1);
  const mine = you === null ? [] : zonesOf(view, you);
  const hand = mine.find((/** @type {Zone} */ zone) => zone.kind === "hand");
  const offers = offered(view, chosen, spread);
  const set = turn ? togetherIn(view) : null;
  const chips = turn ? spreadIn(view) : null;
  const left = chips ? chips.chips - (spread ?? chips.start).reduce((a, b) => a + b, 0) : 0;
  const stakes = chips
    ? Object.fromEntries(chips.on.map((name, i) => [name, { n: (spread ?? chips.start)[i], left, put: putChip }]))
    : {};
  const faceOff = n === 2 && view.zones.some((/** @type {Zone} */ zone) => zone.seats.length && zone.kind === "stock");
  const can = (/** @type {Zone} */ zone, /** @type {string} */ card) => movesAt(view, zone, card).length > 0;
  const aim = advice ? (view.choices.find((/** @type {any} */ move) => move.text === advice.move) ?? null) : null;
  const waiting = view.actors
    .filter((/** @type {number} */ seat) => seat !== you)
    .map((/** @type {number} */ seat) => ({ seat }));
  const playable = hand ? hand.cards.filter((/** @type {string | null} */ card) => card && can(hand, card)).length : 0;
  const line = turn
    ? html`<${Asked} ...${{ view, table, set, chips, left, chosen, offers, lifted, openRule }} />`
    : idle(table, waiting);
  const sort = chose.order === "suit" ? tr("Sort by rank") : tr("Sort by suit");
  const tip =
    !refused && !chosen.length && at
      ? (reasons[at]?.why ??
        effect(view, at) ??
        (lifted || hand?.cards.includes(at) ? "" : { says: "it has no place to go now" }))
      : "";

  return html`<div class="live ${turn ? "turn" : ""} ${faceOff ? "faceoff" : ""} n${n}" ref=${felt}>
    <header class="bar">
      <a href="/" class="home" aria-label=${tr("Cardtable, first page")}>
        <span aria-hidden="true" translate=${false}>♠<span> Cardtable</span></span></a>
      <h1>${tr(table.title)} <small>${tr("deal {n}", { n: view.deal })}${
        table.number ? ` · ${tr("no. {number}", { number: table.number })}` : ""
      }</small></h1>
      <nav aria-label=${tr("Table")}>
        <button type="button" class="quiet" onClick=${() => setOpened("rules")}>${tr("Rules")}</button>
        <button type="button" class="quiet talk" onClick=${() => setOpened("talk")}>${tr("Log")}</button>
        <button type="button" class="quiet" onClick=${() => setOpened("settings")}
          aria-label=${tr("Settings")}>⚙</button>
        <button type="button" class="quiet" onClick=${() => setOpened("help")}
          aria-label=${tr("Keys and help")}>?</button>
        <button type="button" class="quiet" onClick=${() => setOpened("menu")}>${tr("Menu")}</button>
      </nav>
    </header>
    <${LostSeat} table=${table} send=${send} />
    <${Line} state=${state} />
    ${
      !chose.coached &&
      you !== null &&
      table.stage === "playing" &&
      html`<${Coach} told=${advised({ view, table, turn, chosen, lifted, playable, offers })}
        close=${() => choose({ coached: true })}
      hint=${turn && table.may.includes("hint") ? act.hint : null} rules=${() => setOpened("rules")} />`
    }
    <main id="main" class="play">
      <h2 class="sr">${tr("Players")}</h2>
      <div class="others">${others.map(
        (
          /** @type {number} */ seat,
        ) => html`<${Seat} key=${seat} place=${table.seats[seat]} view=${view} table=${table} now=${now} click=${click}
          can=${can} gain=${gains?.gains.get(seat)}
        said=${state.said?.seat === seat ? { number: state.said.number, text: table.chat.at(-1)?.text } : null} />`,
      )}</div>
      <${Caption} news=${news} names=${table.names} you=${you} />
      <h2 class="sr">${tr("Table")}</h2>
      <${Middle} view=${view} table=${table} round=${round} click=${click} can=${can} chosen=${chosen} lifted=${lifted}
        advised=${aim} held=${held} collect=${() => setHeld(null)} stakes=${stakes} />
      <div class="message ${refused ? "bad" : ""}"><span class="now" aria-live="assertive">
        ${
          refused
            ? html`<span><${Said} message=${refusal(refused)} names=${table.names} you=${you} sentence /></span>
              ${
                refused.rule &&
                html`<button type="button" class="rule" onClick=${() => openRule(refused.rule)}
                title=${tr("Rule {rule}", { rule: refused.rule })}>
                ${tr("Why?")}</button>`
              }`
            : html`${turn && html`<b>${tr("Your turn")}</b> ${line}`}${
                advice &&
                html`<span class="advice">
              <${Said} message=${{ says: "Hint: {move}", move: calledSo(view, advice.move) }} /></span>`
              }`
        }</span>
        ${!refused && !turn && html`<span>${line}</span>`}
        ${
          tip &&
          html`<span class="tip" aria-hidden="true"><span>
          <${Said} message=${{ moves: at }} />: <${Said} message=${tip} names=${table.names} you=${you} /></span>
          ${reasons[at]?.rule && html` <small>${reasons[at].rule}</small>`}</span>`
        }
      </div>
      ${
        you !== null &&
        (hand || n > 1) &&
        html`<h2 class="sr">${tr("You")}</h2><div class="own">
        <${Seat} place=${table.seats[you]} view=${view} table=${table} now=${now} mine click=${click} can=${can}
          gain=${gains?.gains.get(you)} />
        ${
          hand &&
          html`<${Hand} zone=${{ ...hand, asked: chips?.then }} can=${can} order=${chose.order} narrow=${narrow}
          click=${click} chosen=${chosen} ready=${ready} wrong=${refused?.card} reasons=${reasons}
          advised=${
            aim?.cards?.[0] ?? set?.cards.find((/** @type {string} */ card) => advice?.move.startsWith(card))
          } />`
        }
      </div>`
      }
      <div class="actions ${chosen.length ? "choosing" : ""}" role="toolbar" aria-label=${tr("Moves")}>
        <span class="tools">
          ${
            hand &&
            html`<button type="button" class="quiet"
            onClick=${() => choose({ order: chose.order === "suit" ? "rank" : "suit" })} aria-label=${sort}>
            ${narrow ? tr("Sort") : sort}</button>`
          }
          ${
            table.may.includes("hint") &&
            html`<button type="button" class="quiet" onClick=${act.hint}>
            ${tr("Hint")}</button>`
          }
          ${
            table.may.includes("undo") &&
            html`<button type="button" class="quiet" onClick=${act.undo}>
            ${tr("Undo")}</button>`
          }
          ${
            table.may.includes("more") &&
            html`<button type="button" class="quiet" onClick=${() => send("more")}>
            ${narrow ? tr("+ time") : tr("More time")}</button>`
          }
          ${
            lastTrick &&
            html`<button type="button" class="quiet" onClick=${() => setOpened("trick")}
            aria-label=${tr("Last trick")}>${narrow ? tr("Trick") : tr("Last trick")}</button>`
          }
        </span>
        ${
          table.ask &&
          html`<span class="ask" role="alert">${written(
            { says: "{source} {source:asks|asked} to take back", source: { seat: table.ask.seat } },
            table,
            true,
          )}
          ${
            table.may.includes("answer") &&
            html`<button type="button" onClick=${() => send("answer", { yes: true })}>
            ${tr("Agree")}</button><button type="button" onClick=${() => send("answer", { yes: false })}>
            ${tr("No")}</button>`
          }</span>`
        }
        <${Absent} table=${table} send=${send} now=${now} />
        ${
          (set || chips) &&
          !offers.length &&
          html`<button type="button" disabled>
          ${set ? aloud(set.ask, {}, true) : tr("{n} {n:chip|chips} left", { n: left })}</button>`
        }
        <${Offers} offers=${offers} barred=${turn ? view.refused : []} chosen=${chosen} whole=${!!set} table=${table} play=${offer} armed=${armed}
          more=${() => setOpened("moves")} drop=${() => setChosen([])} you=${you} />
        ${
          !turn &&
          table.stage !== "playing" &&
          html`<button type="button" onClick=${() => setOpened("sheet")}>${tr("Result")}</button>
          ${
            table.may.includes("ready") &&
            html`<button type="button" class="primary"
            onClick=${() => (setOpened(""), send("ready"))}>${onward(table)}</button>`
          }`
        }
      </div>
    </main>
    <${Voice} lines=${state.log} all=${chose.tell === "all"} names=${table.names} you=${you} />
    <aside class="side" aria-label=${tr("Log and chat")}>${
      !narrow && html`<${RuleStrip} table=${table} rules=${rules} open=${openRule} />`
    }<h2>${tr("Log")} ${back}</h2>
      <${Log} lines=${state.log} names=${table.names} you=${you} onRule=${openRule} /><h2>${tr("Chat")}</h2>
      <${Chat} table=${table} say=${(/** @type {string} */ text) => send("say", { text })} /></aside>
    ${windows}
  </div>`;
}
