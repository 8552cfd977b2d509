/** A table before the match: the seats, the invitation, the rules that will apply. */
import { html, useState } from "./html.js";
import { at } from "./address.js";
import { choices, choose } from "./store.js";
import { rulesAt } from "./api.js";
import { Said, tr } from "./message.js";
import { botOf, LEVELS, plainly } from "./names.js";

/** @param {any} props */
export function Lobby({ table, send, code }) {
  const [name, setName] = useState(choices().name);
  const [copied, setCopied] = useState(false);
  const seated = table.you !== null;
  const waits = table.stage === "lobby";
  const link = location.origin + at(`/t/${table.id}`);
  const copy = () =>
    navigator.clipboard
      ?.writeText(link)
      .then(() => setCopied(true))
      .catch(() => undefined);
  const sit = (/** @type {number} */ seat) => {
    choose({ name });
    send("sit", { seat, name });
  };
  const free = table.seats.filter((/** @type {any} */ place) => place.kind === "free");
  const house = Object.entries(table.options);
  return html`<main class="page lobby" id="main">
    <h1>${tr(table.title)}</h1>
    <p class="sub">${
      house.length
        ? `${tr("House rules: {rules}", {
            rules: house.map(([key, value]) => `${plainly(key)}: ${plainly(value)}`).join(", "),
          })} · `
        : ""
    }<a
      href=${`/rules/${table.game}${rulesAt(table.game, table.preset, table.options, table.seats.length).replace(
        /^[^?]*/,
        "",
      )}`}>${tr("Read the rules")}</a></p>
    ${
      !seated &&
      html`<p><label class="field">${tr("Your name")} <input maxlength="24" value=${name}
      autocomplete="nickname" onInput=${(/** @type {any} */ e) => setName(e.target.value)} /></label></p>`
    }
    <ul class="places">${table.seats.map(
      (/** @type {any} */ place) => html`<li key=${place.seat} class=${place.kind}>
      <b>${
        place.seat === table.you
          ? place.name
            ? tr("{name} (you)", { name: place.name })
            : tr("You")
          : place.name || tr("free seat")
      }</b>
      ${place.kind === "bot" && html`<span class="badge bot">${botOf(place.level)}</span>`}
      ${
        waits &&
        !seated &&
        place.kind === "free" &&
        html`<button type="button" class="primary" onClick=${() => sit(place.seat)}>
        ${tr("Sit here")}</button>`
      }
      ${
        waits &&
        table.host &&
        place.kind !== "person" &&
        html`<select aria-label=${tr("Who has seat {n}", { n: place.seat + 1 })} value=${place.level}
          onChange=${(/** @type {any} */ e) => send("bot", { seat: place.seat, level: e.target.value })}>
        <option value="">${tr("a friend")}</option>${Object.keys(LEVELS).map(
          (level) => html`<option key=${level} value=${level}>${botOf(level)}</option>`,
        )}</select>`
      }
    </li>`,
    )}</ul>
    ${table.stage === "shuffling" && html`<p role="status">${tr("The cards are being shuffled …")}</p>`}
    ${
      waits &&
      table.host &&
      html`<p class="actions"><button type="button" class="primary big" onClick=${() => send("start")}>
        ${
          free.length
            ? tr("Start, with {n:a bot on the free seat|bots on the @ free seats}", { n: free.length })
            : tr("Start")
        }</button>
      <button type="button" onClick=${() => send("close")}>${tr("Close the table")}</button></p>`
    }
    ${
      waits &&
      seated &&
      !table.host &&
      html`<p class="actions" role="status">
      ${tr("Waiting for the host to start …")} <button type="button" onClick=${() => send("leave")}>
      ${tr("Get up")}</button></p>`
    }
    <section class="invite" aria-label=${tr("Invite friends")}><div>
      <h2>${tr("Invite friends")}</h2>
      <p>${tr("They open this link, or type the code on the first page.")}</p>
      <p class="link"><input readonly value=${link} aria-label=${tr("Invite link")}
        onFocus=${(/** @type {any} */ e) => e.target.select()} /><button type="button" onClick=${copy}>
        ${copied ? tr("Copied") : tr("Copy")}</button></p>
      ${
        code &&
        html`<p><${Said} message=${{
          says: "Code: {code}",
          code: { shown: () => html`<b class="code" translate=${false}>${code.slice(0, 4)}-${code.slice(4)}</b>` },
        }} /></p>`
      }</div>
      <img src="/api/tables/${table.id}/qr.svg" alt=${tr("The invite link as a QR code")} width="160" height="160" />
    </section>
    ${
      table.fair.commitment &&
      html`<p class="fine"><${Said}
      message=${{
        says: "The shuffle is bound to {code}",
        code: {
          shown: () =>
            html`<code translate=${false} title=${table.fair.commitment}>
      ${table.fair.commitment.slice(0, 16)}…</code>`,
        },
      }} /> · <a href="/verify">${tr("what is that?")}</a></p>`
    }
  </main>`;
}
