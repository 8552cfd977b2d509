/** The player's data on this server: other devices of theirs, a file with all data, and deleting it. */
import { html, useState } from "../browser/html.js";
import { get, remove } from "../net/api.js";
import { DeviceList, NewDevice } from "./devices.js";
import { Dialog } from "../windows/dialog.js";
import { choose } from "../browser/store.js";
import { tr } from "../text/message.js";
import { useAsked } from "../net/asked.js";

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
        choose({ name: "", last: "" });
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
      "matches with other people, because they are theirs too; they show “Deleted player” instead of your name",
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
      }</p><p><a class="button primary" href="/">${tr("Home")}</a></p></main>`;
  return html`<main class="page you" id="main"><h1>${tr("You")}</h1>
    <p>${tr(
      "There are no accounts here: this server knows you by a cookie in this browser. Your tables, your finished " +
        "games and your statistics belong to that cookie.",
    )}</p>
    <${NewDevice} />
    <${DeviceList} />
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
