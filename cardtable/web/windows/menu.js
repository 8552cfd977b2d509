/** The menu of a table. */
import { html } from "../browser/html.js";
import { at, visit } from "../browser/address.js";
import { choose } from "../browser/store.js";
import { Said, tr } from "../text/message.js";
import { Fair, Invitation, Naming } from "../table/company.js";
import { Address, Report, shared, Sure } from "../net/share.js";
import { Dialog } from "./dialog.js";

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

/** How others get the cards of a deal. @param {{table: any}} props */
export const Share = ({ table }) => html`<p><${Said} message=${{
  says: "Deal number {number}: {link:the same cards again}",
  number: { shown: () => html`<b translate=${false}>${table.number}</b>` },
  link: { shown: (/** @type {string} */ words) => html`<a href=${shared(table)}>${words}</a>` },
}} /></p>
  <${Address} link=${location.origin + at(shared(table))} label=${tr("Link to these cards")} />`;

/** The menu of the table. @param {any} props */
export function Menu({ table, code, send, close, open }) {
  return html`<${Dialog} title=${tr(table.title)} close=${close} name="menu">
    <p><button type="button" class="text" onClick=${() => open("rules")}>${tr("Read the rules")}</button>
      ${" · "}<button type="button" class="text" onClick=${() => open("glossary")}>${tr("Glossary")}</button></p>
    <${Naming} key=${table.you === null ? "" : table.seats[table.you].name} table=${table} send=${send} />
    <h3>${tr("Invite, or watch")}</h3>
    <${Invitation} table=${table} code=${code} />
    <img src="/api/tables/${table.id}/qr.svg" alt=${tr("The link as a QR code")} width="150" height="150" />
    ${table.number && html`<${Share} table=${table} />`}
    ${
      table.winnable &&
      html`<p class="fine">${tr("The table chose these cards because a solver that sees all cards wins with them.")}
      ${" "}${tr("Their shuffle cannot be verified.")}</p>`
    }
    <${Fair} table=${table} />
    ${
      table.played_on &&
      html`<p class="fine">
      ${tr("This match began in the middle of another. It does not count in your statistics.")}</p>`
    }
    <${Names} table=${table} />
    <footer><button type="button" onClick=${() => (choose({ plain: true }), close())}>${tr("Plain text")}</button>
      ${
        table.may.includes("leave") &&
        html`<${Sure} asks=${tr("Really leave?")}
        act=${() => (send("leave"), close(), setTimeout(() => visit("/"), 300))}>${tr("Leave the table")}<//>`
      }
      ${
        table.may.includes("resign") &&
        html`<${Sure} name="danger" asks=${tr("Really give up?")} act=${() => (send("resign"), close())}>
        ${tr("Give up")}<//>`
      }</footer>
  <//>`;
}
