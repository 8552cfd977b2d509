/** A table before the match: who sits where, the invitation, the rules that will hold. */
import { html, useState } from "./html.js";
import { choices, choose } from "./store.js";
import { entropy, rulesAt } from "./api.js";

const LEVELS = { random: "Random", simple: "Easy", flat: "Good", search: "Strong" };

/** @param {any} props */
export function Lobby({ table, send, code }) {
  const [name, setName] = useState(choices().name);
  const [copied, setCopied] = useState(false);
  const seated = table.you !== null;
  const link = `${location.origin}/t/${table.id}`;
  const copy = () => navigator.clipboard?.writeText(link).then(() => setCopied(true)).catch(() => undefined);
  const sit = (/** @type {number} */ seat) => {
    choose({ name });
    send("sit", { seat, name, entropy: entropy() });
  };
  const free = table.seats.filter((/** @type {any} */ place) => place.kind === "free");
  const house = Object.entries(table.options);
  return html`<main class="page lobby" id="main">
    <h1>${table.title}</h1>
    <p class="sub">${house.length ? `House rules: ${house.map(([key, value]) => `${key.replaceAll("_", " ")}: ${value}`).join(", ")} · ` : ""}<a href=${`/rules/${table.game}${rulesAt(table.game, table.preset, table.options, table.seats.length).replace(/^[^?]*/, "")}`}>Read the rules</a></p>
    ${!seated && html`<p><label class="field">Your name <input maxlength="24" value=${name} autocomplete="nickname" onInput=${(/** @type {any} */ e) => setName(e.target.value)} /></label></p>`}
    <ul class="places">${table.seats.map((/** @type {any} */ place) => html`<li key=${place.seat} class=${place.kind}>
      <b>${place.seat === table.you ? `${place.name || "You"} (you)` : place.name || "free seat"}</b>
      ${place.kind === "bot" && html`<span class="badge bot">${LEVELS[/** @type {keyof typeof LEVELS} */ (place.level)] ?? place.level} bot</span>`}
      ${!seated && place.kind === "free" && html`<button type="button" class="primary" onClick=${() => sit(place.seat)}>Sit here</button>`}
      ${table.host && place.kind !== "person" && html`<select aria-label=${`Who has seat ${place.seat + 1}`} value=${place.level} onChange=${(/** @type {any} */ e) => send("bot", { seat: place.seat, level: e.target.value })}>
        <option value="">a friend</option>${Object.entries(LEVELS).map(([level, text]) => html`<option key=${level} value=${level}>${text} bot</option>`)}</select>`}
    </li>`)}</ul>
    ${table.host && html`<p class="actions"><button type="button" class="primary big" onClick=${() => send("start")}>${free.length ? `Start, with bots on ${free.length === 1 ? "the free seat" : `${free.length} free seats`}` : "Start"}</button>
      <button type="button" onClick=${() => send("close")}>Close the table</button></p>`}
    ${seated && !table.host && html`<p class="actions" role="status">Waiting for the host to start … <button type="button" onClick=${() => send("leave")}>Get up</button></p>`}
    <section class="invite" aria-label="Invite friends"><div>
      <h2>Invite friends</h2>
      <p>They open this link, or type the code on the first page.</p>
      <p class="link"><input readonly value=${link} aria-label="Invite link" onFocus=${(/** @type {any} */ e) => e.target.select()} /><button type="button" onClick=${copy}>${copied ? "Copied" : "Copy"}</button></p>
      ${code && html`<p>Code: <b class="code">${code}</b></p>`}</div>
      <img src="/api/tables/${table.id}/qr.svg" alt="The invite link as a QR code" width="160" height="160" />
    </section>
    ${table.fair.commitment && html`<p class="fine">The shuffle is bound to <code title=${table.fair.commitment}>${table.fair.commitment.slice(0, 16)}…</code> · <a href="/verify">what is that?</a></p>`}
  </main>`;
}
