/** Makes this browser another device of somebody, from a link that they made; it asks first. */
import { at, here } from "../browser/address.js";
import { html, useEffect, useState } from "../browser/html.js";
import { Problem } from "../net/asked.js";
import { post } from "../net/api.js";
import { persist } from "../net/patience.js";
import { choices, choose } from "../browser/store.js";
import { Said, tr } from "../text/message.js";

/** How much belongs to somebody. @param {any} who */
const belongs = (who) => ({
  says: "{tables} {tables:table|tables} and {matches} finished {matches:game|games}",
  tables: who.tables,
  matches: who.matches,
});

/** The secret behind the # of the address, which is then taken out of it and of the history. */
function secret() {
  const found = location.hash.slice(1);
  if (found) history.replaceState(null, "", at(here()));
  return found;
}

export function Link() {
  const [token] = useState(secret);
  const [seen, setSeen] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState(/** @type {any} */ (null));
  useEffect(() => {
    return persist(
      () => post("/api/link", { token: token || "-" }),
      ([told, problem]) => {
        setWrong(problem);
        setSeen(told);
      },
    );
  }, []);
  const take = () => {
    setBusy(true);
    post("/api/link/take", { token })
      .then((identity) => {
        if (identity.name) choose({ name: identity.name });
        location.replace(at("/you"));
      })
      .catch((problem) => (setWrong(problem), setBusy(false)));
  };
  const name = seen?.gives.name || tr("somebody without a name");
  const has = seen && seen.has.tables + seen.has.matches > 0;
  return html`<main class="page you" id="main"><h1>${tr("Link this browser")}</h1>
    ${wrong && html`<${Problem} error=${wrong} />`}
    ${!seen && !wrong && html`<p role="status">${tr("One moment …")}</p>`}
    ${
      seen?.same &&
      html`<p>${tr("This browser is linked already: you are {name} here too.", {
        name: seen.gives.name || choices().name || tr("yourself"),
      })}</p>`
    }
    ${
      seen &&
      !seen.same &&
      html`<p><${Said} message=${{
        says: "This link makes this browser another device of {name}, with {what}.",
        name: { shown: () => html`<strong translate=${false}><bdi>${name}</bdi></strong>` },
        what: belongs(seen.gives),
      }} /></p>
      <p>${tr(
        "Continue only if you have just made the link yourself, on another device. If somebody else sent it to you, " +
          "they would see and control what you play here.",
      )}</p>
      ${
        has &&
        html`<p class="problem"><${Said} message=${{
          says:
            "This browser already has {what}. They stay on the server, but you cannot reach them any more. " +
            "{link:Download or delete them first}, if you wish.",
          what: belongs(seen.has),
          link: { shown: (/** @type {string} */ words) => html`<a href="/you" target="_blank">${words}</a>` },
        }} /></p>`
      }
      <p class="actions"><button type="button" class="primary" disabled=${busy} onClick=${take}>
        ${busy ? tr("One moment …") : tr("Yes, this is me")}</button> <a class="button" href="/">
        ${tr("No, leave it as it is")}</a></p>`
    }
    ${(wrong || seen?.same) && html`<p><a class="button" href="/">${tr("Home")}</a></p>`}
  </main>`;
}
