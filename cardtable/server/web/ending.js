/** The end of a deal, on the table: what each seat has scored and why, and a moment for the winner. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { aloud, Said, tr, written } from "./message.js";
import { seatOf, sparks } from "./motion.js";
import { lastDeal, outcome, reasons, signed, sum, winnersOf } from "./sheet.js";
import { sound } from "./sound.js";
import { paced } from "./store.js";

const APART = 420; // ms from one line to the next
const APPEARS = 260; // ms of a line's appearance

/** A kind word to somebody who has not won. @param {any} props */
function Kindly({ view, table, winners }) {
  const { you } = table;
  if (you === null || !winners.length || winners.includes(you) || table.stage !== "over") return null;
  if (table.seats.length < 3) return html`<p class="kindly">${tr("Well played.")}</p>`;
  const scores = view.scores.map((/** @type {number} */ n) => (view.lowest_wins ? -n : n));
  const before = scores.filter((/** @type {number} */ n) => n > scores[you]).length;
  return html`<p class="kindly">${
    before === 1 ? tr("Well played: you are second.") : tr("Well played. Another match may be yours.")
  }</p>`;
}

/**
 * The lines of a finished deal, one for each seat, from the player's own on.
 * @param {{view: any, table: any, round: number[], felt: {current: HTMLElement | null}}} props
 */
export function Ending({ view, table, round, felt }) {
  const [away, setAway] = useState(false); // the player looks at the table below it
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const winners = winnersOf(view, table);
  const last = lastDeal(view);
  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])];
    rows.forEach((row, i) =>
      row.animate(
        [
          { opacity: 0, translate: "0 6px" },
          { opacity: 1, translate: "0 0" },
        ],
        {
          duration: paced(APPEARS),
          delay: paced(APART) * i,
          fill: "backwards",
          easing: "ease-out",
        },
      ),
    );
  }, []);
  useEffect(() => {
    const won = setTimeout(
      () => {
        sound(winners.length ? "win" : "score");
        if (felt.current) for (const seat of winners) sparks(seatOf(felt.current, seat));
        const at = document.activeElement; // on the way of the keyboard comes the next deal
        if (!at || at === document.body)
          /** @type {HTMLElement | null | undefined} */ (felt.current?.querySelector("[data-onward]"))?.focus();
      },
      paced(APART) * round.length,
    );
    return () => clearTimeout(won);
  }, []);
  const title = outcome(view, table);
  if (away)
    return html`<button type="button" class="ending-back quiet" onClick=${() => setAway(false)}>
      ${tr("Scores")}</button>`;
  return html`<section class="ending ${winners.includes(table.you) ? "mine" : ""}" aria-label=${tr("Scores")}>
    <header><h2>${title}</h2>
      <button type="button" class="quiet" aria-label=${tr("Look at the table")} onClick=${() => setAway(true)}>
        ✕</button>
    </header>
    <ul ref=${list}>${round.map((seat) => {
      const why = last ? reasons(view.counted, seat) : "";
      const total = last ? { says: "{sum} = {score}", sum: sum(last, seat), score: signed(view.scores[seat]) } : null;
      return html`<li key=${seat} class=${winners.includes(seat) ? "won" : ""}>
        <b class="who"><${Said} message=${{ seat }} names=${table.names} you=${table.you} sentence /></b>
        <span class="why">${why}</span>
        <span class="sum">${total ? written(total) : aloud(signed(view.scores[seat]))}</span></li>`;
    })}</ul>
    ${view.lowest_wins && html`<p class="fine">${tr("The lowest score is the best.")}</p>`}
    <${Kindly} view=${view} table=${table} winners=${winners} />
  </section>`;
}
