/** The menu of a table. */
import { html, useState } from "../browser/html.js";
import { at, visit } from "../browser/address.js";
import { choose } from "../browser/store.js";
import { Said, tr } from "../text/message.js";
import { Naming } from "../table/company.js";
import { shared } from "../net/share.js";
import { Dialog } from "./dialog.js";
import { Report } from "../net/report.js";

/** The names of the other people, to report one. @param {{table: any}} props */
function Names({ table }) {
  const others = table.seats.filter((/** @type {any} */ one) => one.kind === "person" && one.seat !== table.you);
  if (!others.length) return null;
  return html`<details><summary>${tr("Report a name")}</summary><ul>${others.map(
    (/** @type {any} */ one) => html`<li key=${one.seat}><bdi translate=${false}>${one.name}</bdi> <${Report}
      table=${table.id} what=${{ seat: one.seat }} words=${tr("Report")}
      label=${tr("Report the name {name} to the operator", { name: one.name })} /></li>`,
  )}</ul></details>`;
}

/** The menu of the table. @param {any} props */
export function Menu({ table, code, send, close, open }) {
  const link = location.origin + at(`/t/${table.id}`);
  const cards = location.origin + at(shared(table));
  const [sure, setSure] = useState(false);
  return html`<${Dialog} title=${tr(table.title)} close=${close} name="menu">
    <p><button type="button" class="text" onClick=${() => open("rules")}>${tr("Read the rules")}</button>
      <button type="button" class="text" onClick=${() => open("glossary")}>${tr("Glossary")}</button></p>
    <${Naming} key=${table.you === null ? "" : table.seats[table.you].name} table=${table} send=${send} />
    <h3>${tr("Invite, or watch")}</h3>
    <p class="link"><input readonly value=${link} aria-label=${tr("Link to this table")}
      onFocus=${(/** @type {any} */ e) => e.target.select()} /></p>
    ${
      code &&
      html`<p><${Said} message=${{
        says: "Code: {code}",
        code: { shown: () => html`<b class="code" translate=${false}>${code}</b>` },
      }} /></p>`
    }
    <img src="/api/tables/${table.id}/qr.svg" alt=${tr("The link as a QR code")} width="150" height="150" />
    ${
      table.number &&
      html`<p><${Said} message=${{
        says: "Deal number {number}: {link:the same cards again}",
        number: { shown: () => html`<b translate=${false}>${table.number}</b>` },
        link: { shown: (/** @type {string} */ words) => html`<a href=${shared(table)}>${words}</a>` },
      }} /></p>
      <p class="link"><input readonly value=${cards} aria-label=${tr("Link to these cards")}
      onFocus=${(/** @type {any} */ e) => e.target.select()} /></p>`
    }
    ${
      table.winnable &&
      html`<p class="fine">${tr("The table chose these cards because a solver that sees all cards wins with them.")}
      ${" "}${tr("Their shuffle cannot be verified.")}</p>`
    }
    ${
      table.fair.commitment &&
      html`<p class="fine"><${Said}
      message=${{
        says: "Commitment to the shuffle: {code}",
        code: {
          shown: () => html`<code translate=${false}>
      ${table.fair.commitment}</code>`,
        },
      }} /></p>`
    }
    ${
      table.played_on &&
      html`<p class="fine">
      ${tr("This match began in the middle of another. It does not count in your statistics.")}</p>`
    }
    <${Names} table=${table} />
    <footer><button type="button" onClick=${() => (choose({ plain: true }), close())}>${tr("Plain text")}</button>
      ${
        table.may.includes("leave") &&
        html`<button type="button"
        onClick=${() => (send("leave"), close(), setTimeout(() => visit("/"), 300))}>
        ${tr("Leave the table")}</button>`
      }
      ${
        table.may.includes("resign") &&
        html`<button type="button" class="danger"
        onClick=${() => (sure ? (send("resign"), close()) : setSure(true))}>
        ${sure ? tr("Really give up?") : tr("Give up")}</button>`
      }</footer>
  <//>`;
}
