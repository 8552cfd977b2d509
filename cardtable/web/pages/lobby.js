/** A table before the match: the seats, the invitation, the rules that will apply. */
import { html, useState } from "../browser/html.js";
import { choices, choose } from "../browser/store.js";
import { get, rulesAt } from "../net/api.js";
import { tr } from "../text/message.js";
import { Fair, Invitation, Naming, Reactions, Watching } from "../table/company.js";
import { Chat } from "../table/log.js";
import { botOf, levelsOf } from "../text/names.js";
import { sentence } from "./options.js";
import { Sure, OnlyHere } from "../net/share.js";
import { useAsked } from "../net/asked.js";

/**
 * What the others should know about a person in the lobby.
 * @param {any} place @param {import("../table/scene.js").Table} table
 */
function status(place, table) {
  if (place.kind !== "person") return "";
  if (!place.online && place.seat !== table.you) return tr("away", { context: "player" });
  if (place.host) return tr("host", { context: "player" });
  return table.begins === "host" ? (place.ready ? tr("ready", { context: "player" }) : tr("not ready yet")) : "";
}

/** One seat, and what may be done about it. @param {any} props */
function Place({ place, table, game, sit, send }) {
  const waits = table.stage === "lobby";
  const told = status(place, table);
  return html`<li class=${place.kind}>
    <b>${
      place.seat === table.you
        ? place.name
          ? tr("{name} (you)", { name: place.name })
          : tr("You")
        : place.name || tr("free seat")
    }</b>
    ${place.kind === "bot" && !(waits && table.host) && html`<span class="badge bot">${botOf(place.level)}</span>`}
    ${told && html`<span class="badge ${place.ready ? "isready" : ""}">${place.ready ? "✓ " : ""}${told}</span>`}
    ${
      waits &&
      table.you === null &&
      place.kind === "free" &&
      html`<button type="button" class="primary" onClick=${() => sit(place.seat)}>${tr("Sit here")}</button>`
    }
    ${
      waits &&
      table.host &&
      place.kind !== "person" &&
      html`<select aria-label=${tr("Who has seat {n}", { n: place.seat + 1 })} value=${place.level}
        onChange=${(/** @type {any} */ e) => send("bot", { seat: place.seat, level: e.target.value })}>
      <option value="">${tr("a friend")}</option>${levelsOf(game, table.preset, place.level).map(
        (level) => html`<option key=${level} value=${level}>${botOf(level)}</option>`,
      )}</select>`
    }
  </li>`;
}

/** What the player can do before the match: begin it, say that they are ready, leave. @param {any} props */
function Beginning({ table, send }) {
  const free = table.seats.filter((/** @type {any} */ place) => place.kind === "free").length;
  const slow = table.seats.filter(
    (/** @type {any} */ place) => place.kind === "person" && !place.ready && place.seat !== table.you,
  );
  const names = slow.map((/** @type {any} */ place) => place.name);
  const waited = table.begins === "host" && names.length > 0;
  const seated = table.you !== null;
  const up = html`<button type="button" onClick=${() => send("leave")}>${tr("Leave seat")}</button>`;
  if (table.host)
    return html`<p class="actions"><${Sure} name="primary big" act=${() => send("start")}
        asks=${waited && tr("Start although {names} {names:is|is|are} not ready?", { names })}>${
          free ? tr("Start, with {n:a bot on the free seat|bots on the @ free seats}", { n: free }) : tr("Start")
        }<//>
      <${Sure} asks=${tr("Really close the table?")} act=${() => send("close")}>${tr("Close the table")}<//>
      ${seated && up}</p>
      ${waited && html`<p role="status">${tr("Not ready yet: {names}", { names })}</p>`}`;
  if (!seated) return null;
  const away = table.seats.some((/** @type {any} */ place) => place.host && !place.online);
  const waits = away
    ? tr("The host is away. After a while, the next person at the table becomes the host.")
    : tr("Waiting for the host to start …");
  return html`<p class="actions">${
    table.may.includes("ready") &&
    html`<button type="button" class="primary big" onClick=${() => send("ready")}>${tr("I am ready")}</button>`
  } <span role="status">${table.may.includes("ready") && !away ? "" : waits}</span> ${up}</p>`;
}

/** The rules at the table, in one sentence. @param {any} props */
function Agreed({ table, game }) {
  const rules = rulesAt(table.game, table.preset, table.options, table.seats.length).replace(/^[^?]*/, "");
  return html`<p class="sub">${game && `${sentence(game, table.preset, table.options, table.title)} · `}<a
    href=${`/rules/${table.game}${rules}`}>${tr("Read the rules")}</a></p>`;
}

/** @param {any} props */
export function Lobby({ table, send, code, said }) {
  const [name, setName] = useState(choices().name);
  const [game] = useAsked(() => get(`/api/games/${encodeURIComponent(table.game)}`), [table.game]);
  const sit = (/** @type {number} */ seat) => {
    choose({ name });
    send("sit", { seat, name });
  };
  const free = table.seats.some((/** @type {any} */ place) => place.kind === "free");
  const invite = html`<section class="invite" aria-label=${tr("Invite friends")}><div>
      <h2>${tr("Invite friends")}</h2>
      <p>${tr("They open this link, or type the code on the first page.")}</p>
      <${OnlyHere} />
      <${Invitation} table=${table} code=${code} /></div>
      <img src="/api/tables/${table.id}/qr.svg" alt=${tr("The invite link as a QR code")} width="160" height="160" />
    </section>`;
  return html`<header class="top"><a href="/" class="home" translate=${false}>♠︎ Cardtable</a></header>
  <main class="page lobby" id="main">
    <h1>${tr(table.title)}</h1>
    <${Agreed} table=${table} game=${game} />
    <${Watching} table=${table} />
    ${
      table.you === null
        ? html`<p><label class="field">${tr("Your name")} <input maxlength="24" value=${name}
      autocomplete="nickname" onInput=${(/** @type {any} */ e) => setName(e.target.value)} /></label></p>`
        : html`<${Naming} key=${table.seats[table.you].name} table=${table} send=${send} />`
    }
    <ul class="places">${table.seats.map(
      (/** @type {any} */ place) =>
        html`<${Place} key=${place.seat} place=${place} table=${table} game=${game} sit=${sit} send=${send} />`,
    )}</ul>
    ${free && invite}
    ${table.stage === "shuffling" && html`<p role="status">${tr("The cards are being shuffled …")}</p>`}
    ${table.stage === "lobby" && html`<${Beginning} table=${table} send=${send} />`}
    ${said && html`<p class="bubble" role="status" key=${said.number}>${said.name}: ${said.text}</p>`}
    <${Reactions} table=${table} send=${send} />
    ${
      table.seats.filter((/** @type {any} */ place) => place.kind === "person").length > 1 &&
      html`<${Chat} table=${table} say=${(/** @type {string} */ text) => send("say", { text })} />`
    }
    ${!free && invite}
    <${Fair} table=${table} />
  </main>`;
}
