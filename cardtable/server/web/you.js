/** What this server knows of the player: other devices of theirs, a file with all data, and deleting it. */
import { html, useEffect, useState } from "./html.js";
import { get, post, remove } from "./api.js";
import { Dialog } from "./dialog.js";
import { useAsked } from "./hooks.js";
import { choices, choose } from "./store.js";
import { tr } from "./message.js";

/** Asks before everything is deleted. @param {{close: () => void, done: (deleted: any) => void}} props */
function Deleting({ close, done }) {
  const [mine] = useAsked(() => get("/api/me"), []);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const tables = mine?.tables.length ?? 0;
  const run = () => {
    setBusy(true);
    setWrong("");
    remove("/api/me/data")
      .then((deleted) => {
        choose({ name: "" });
        done(deleted);
      })
      .catch((problem) => {
        setWrong(problem.message);
        setBusy(false);
      });
  };
  return html`<${Dialog} title=${tr("Delete all your data?")} close=${close} name="deleting">
    <p>${tr("What is deleted:")}</p>
    <ul><li>${tr("your name, and everything you have said in chats")}</li>
      <li>${tr("your statistics, and matches that you played alone against bots")}</li>
      <li>${tr("records that you have uploaded")}</li>
      <li>${tr("your identity: this server no longer knows this browser")}</li></ul>
    <p>${tr("What stays:")}</p>
    <ul><li>${tr(
      "matches with other people, because they are theirs, too; in place of your name they show “Deleted player”",
    )}</li></ul>
    ${
      tables > 0 &&
      html`<p>${tr("You leave {n} {n:table|tables} where a match has not ended; a bot plays on for you.", {
        n: tables,
      })}</p>`
    }
    <p><strong>${tr("This cannot be undone.")}</strong></p>
    ${wrong && html`<p class="problem" role="alert">${wrong}</p>`}
    <p class="actions"><button type="button" class="danger" disabled=${busy} onClick=${run}>
      ${busy ? tr("One moment …") : tr("Delete everything")}</button>
      <button type="button" onClick=${close}>${tr("Keep it")}</button></p>
  <//>`;
}

/** How long a link is still valid, in minutes, rounded up. @param {number} until @param {number} now */
const minutes = (until, now) => Math.ceil((until - now) / 60000);

/** A link and QR code with which another device becomes this person's, too. */
function Device() {
  const [made, setMade] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  const [copied, setCopied] = useState(false);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!made) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 5000);
    return () => clearInterval(timer);
  }, [made]);
  const make = () => {
    setWrong("");
    setCopied(false);
    post("/api/me/link", { name: choices().name })
      .then((told) => {
        const at = Date.now();
        setNow(at);
        setMade({ ...told, until: at + told.seconds * 1000 });
      })
      .catch((problem) => setWrong(problem.message));
  };
  const copy = () =>
    navigator.clipboard
      ?.writeText(made.link)
      .then(() => setCopied(true))
      .catch(() => undefined);
  const valid = made && made.until > now;
  return html`<section aria-labelledby="device"><h2 id="device">${tr("Another device")}</h2>
    <p>${tr(
      "To play as the same person on your phone or another computer, make a link and open it there. Show it to " +
        "nobody: whoever opens it is you.",
    )}</p>
    ${wrong && html`<p class="problem" role="alert">${wrong}</p>`}
    ${
      valid &&
      html`<div class="device"><div>
      <p class="link"><input readonly value=${made.link} aria-label=${tr("Link for another device")}
        onFocus=${(/** @type {any} */ e) => e.target.select()} /><button type="button" onClick=${copy}>
        ${copied ? tr("Copied") : tr("Copy")}</button></p>
      <p role="status">${tr("It works once, within {n} {n:minute|minutes}.", { n: minutes(made.until, now) })}</p></div>
      <img src=${`data:image/svg+xml,${encodeURIComponent(made.qr)}`} width="160" height="160"
        alt=${tr("The link for another device as a QR code")} /></div>`
    }
    ${made && !valid && html`<p role="status">${tr("The link is no longer valid.")}</p>`}
    <p><button type="button" onClick=${make}>${made ? tr("Make a new link") : tr("Make a link")}</button></p>
  </section>`;
}

export function You() {
  const [asking, setAsking] = useState(false);
  const [deleted, setDeleted] = useState(/** @type {any} */ (null));
  if (deleted)
    return html`<main class="page" id="main"><h1>${tr("Your data is deleted")}</h1>
      <p role="status">${
        deleted.kept_matches > 0
          ? tr("{n} finished {n:match|matches} with other people {n:stays|stay}, without your name.", {
              n: deleted.kept_matches,
            })
          : tr("Nothing about you is left on this server.")
      }</p><p><a class="button primary" href="/">${tr("To the first page")}</a></p></main>`;
  return html`<main class="page you" id="main"><h1>${tr("You")}</h1>
    <p>${tr(
      "There are no accounts here: this server knows you by a cookie in this browser. Your tables, your finished " +
        "games and your statistics belong to that cookie.",
    )}</p>
    <${Device} />
    <section aria-labelledby="data"><h2 id="data">${tr("Your data")}</h2>
      <p>${tr(
        "The file has everything that the server keeps about you: what you did at each table, your finished games " +
          "with their records, your statistics, and decisions of the operator about you.",
      )}</p>
      <p class="actions"><a class="button" href="/api/me/data" download>${tr("Download your data")}</a>
        <button type="button" class="danger" onClick=${() => setAsking(true)}>${tr("Delete your data …")}</button></p>
    </section>
    ${asking && html`<${Deleting} close=${() => setAsking(false)} done=${setDeleted} />`}
  </main>`;
}
