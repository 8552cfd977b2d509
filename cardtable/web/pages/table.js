/** The page of a table: in the lobby, as plain text, or drawn; with its windows. */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { unaided } from "../motion/changes.js";
import { useChoices } from "../browser/hooks.js";
import { useFaces } from "../faces/cards.js";
import { Felt, heard as shown } from "../table/felt.js";
import { useGestures } from "../hand/gestures.js";
import { Late } from "../net/asked.js";
import { HeldUp, Line, LostSeat } from "../net/line.js";
import { Lobby } from "./lobby.js";
import { cue } from "../motion/cue.js";
import { refusal, Said, tr } from "../text/message.js";
import { PlainTable } from "../table/plain.js";
import { speaking } from "../table/coach.js";
import { useReasons } from "../hand/reasons.js";
import { useSession } from "../table/session.js";
import { choices, choose } from "../browser/store.js";
import { NOWHERE, placeIn } from "../replay/place.js";
import { ready } from "../windows/dialog.js";
import { OpenWindow } from "../windows/windows.js";

/** Which window is open, and at which rule; `place`: at which place of the last deal, if the address names one. */
function useOpened() {
  const [opened, setOpened] = useState("");
  const [rule, setRule] = useState("");
  const [place, setPlace] = useState(() => placeIn(location.search));
  return {
    opened,
    rule,
    place,
    /** Open a window; an empty name closes the one that is open. @param {string} name */
    open(name) {
      setOpened(name);
      setPlace(NOWHERE);
      if (!name) setRule("");
    },
    /** @param {string} one */
    openRule(one) {
      setRule(one);
      setOpened("rules");
    },
    /** The review of a deal is closed when the next one begins. @param {any} before @param {any} now */
    arrived(before, now) {
      if (!before.table && place.seat !== null) {
        const opens = now.table.may.includes("review") && now.view?.deal === place.deal && !choices().plain;
        ready(opens);
        if (opens) setOpened("review");
      }
      if (now.table.stage === "playing" && before.table?.stage !== "playing")
        setOpened((one) => (one === "review" ? "" : one));
    },
  };
}

/** @param {{title: string, children: any}} props */
const NoTable = ({ title, children }) =>
  html`<main class="page" id="main"><h1>${title}</h1>${children}<p>
    <a class="button primary" href="/">${tr("Home")}</a></p></main>`;

/** @param {{id: string}} props */
export function TablePage({ id }) {
  const chose = useChoices();
  const felt = useRef(/** @type {HTMLElement | null} */ (null));
  const windows = useOpened();
  const session = useSession(id, felt, (before, now, fresh) => {
    gestures.arrived(before, now, fresh);
    windows.arrived(before, now);
  });
  const gestures = useGestures(felt, session, chose, windows.open);
  const { state, turn, send } = session;
  const { table, view } = state;
  const laid = useFaces(chose.faces, table?.faces);
  const you = table?.you ?? null;
  const { reasons, at, heard } = useReasons(felt, turn, state.version, (moves) => session.say("why", { moves }));
  session.ears.current.because = heard;
  useEffect(
    () => void (you !== null && session.say("pace", { speed: chose.speed })),
    [you, chose.speed, state.up, table?.stage],
  );
  useEffect(() => cue(turn, table ? tr(table.title) : "Cardtable"), [turn, table?.title]);

  if (state.failed) return html`<${NoTable} title=${tr("No table here")}><p>${state.failed}</p><//>`;
  if (!table || !laid)
    return html`<main class="page" id="main"><p class="loading" role="status">${tr("Joining the table …")}</p>
      <${HeldUp} why=${state.held} /><${Late} why=${state.late} /></main>`;
  if (table.stage === "closed")
    return html`<${NoTable} title=${tr("This table is closed")}>
      ${table.closed && html`<p>${tr("The operator has closed it: {reason}", { reason: table.closed })}</p>`}<//>`;

  const rules = speaking(reasons, state.log);
  const back =
    state.past.length > 1 &&
    html`<button type="button" class="rule" onClick=${() => windows.open("past")}>◀ ${tr("look back")}</button>`;
  const { opened } = windows;
  const open = html`<${OpenWindow} key=${opened} opened=${opened} state=${state} rule=${windows.rule} rules=${rules}
    offers=${gestures.offers} code=${session.code} back=${back} lastTrick=${session.lastTrick}
    review=${{ ...session.review, place: windows.place }} open=${windows.open}
    openRule=${windows.openRule} play=${gestures.play} send=${send} />`;
  const { refused } = session;
  if (table.stage === "lobby" || !view)
    return html`<${Line} state=${state} /><${Lobby} table=${table} send=${send}
      code=${session.code} said=${state.said ? shown(state.said, table) : null} />
      ${
        refused &&
        html`<p class="toast" role="alert"><${Said} message=${refusal(refused)} names=${table.names}
      you=${you} sentence /></p>`
      }${open}`;
  if (chose.plain)
    return html`<${LostSeat} table=${table} send=${send} /><${Line} state=${state} />
      <${PlainTable} view=${chose.aids ? view : unaided(view)} table=${table} lines=${state.log}
      play=${gestures.play} send=${send} refused=${refused} advice=${session.advice} hint=${gestures.hint}
      foreseen=${session.foreseen} outlook=${session.outlook} winnable=${session.winnable}
      leave=${() => choose({ plain: false })} all=${chose.tell === "all"} />`;
  return html`<${Felt} felt=${felt} session=${session} gestures=${gestures} windows=${windows} chose=${chose}
    reasons=${reasons} at=${at} rules=${rules} back=${back}>${open}<//>`;
}
