/** The player's finished matches, with their records; and uploads of records. */
import { html, useEffect, useState } from "../browser/html.js";
import { Problem } from "../net/asked.js";
import { visit } from "../browser/address.js";
import { get, post } from "../net/api.js";
import { code } from "../text/language.js";
import { Said, signed, tr } from "../text/message.js";
import { playerName } from "../text/names.js";
import { persist } from "../net/patience.js";

export function Finished() {
  const [matches, setMatches] = useState(/** @type {any[] | null} */ (null));
  const [end, setEnd] = useState(false);
  const [wrong, setWrong] = useState(/** @type {any} */ (null));
  const heard = (/** @type {[any, any]} */ [told, problem]) => {
    setWrong(problem);
    if (!told) return;
    setMatches([...(matches ?? []), ...told.matches]);
    setEnd(told.matches.length < 50);
  };
  const more = () =>
    get(`/api/matches?before=${matches?.at(-1).id}`).then(
      (told) => heard([told, null]),
      (problem) => heard([null, problem]),
    );
  useEffect(() => persist(() => get("/api/matches"), heard), []);
  const upload = async (/** @type {any} */ e) => {
    const file = e.target.files[0];
    if (!file) return;
    try {
      visit(`/replay/${(await post("/api/records", await file.text())).id}`);
    } catch (problem) {
      setWrong(problem);
    }
  };
  return html`<main class="page" id="main"><h1>${tr("Finished games")}</h1>
    ${wrong && html`<${Problem} error=${wrong} />`}
    <p><label class="button">${tr("Open a record …")} <input class="sr" type="file" accept=".toml"
      onChange=${upload} />
      </label></p>
    ${
      matches &&
      !matches.length &&
      html`<p><${Said} message=${{
        says: "None yet. {link:Play one}.",
        link: { shown: (/** @type {string} */ words) => html`<a href="/">${words}</a>` },
      }} /></p>`
    }
    ${!matches && !wrong && html`<p role="status">${tr("One moment …")}</p>`}
    <ul class="tables">${(matches ?? []).map(
      (match) => html`<li key=${match.id}><a href="/replay/${match.id}"><b>${tr(match.title)}</b>
      <span>${match.players
        .map((/** @type {any} */ p) => `${p.you ? tr("you") : playerName(p)} ${signed(p.score)}${p.won ? " ★" : ""}`)
        .join(", ")}${match.counts ? "" : ` · ${tr("not counted")}`}</span>
      <em><time>${new Date(match.at).toLocaleString(code(), { dateStyle: "medium", timeStyle: "short" })}</time></em>
        </a></li>`,
    )}</ul>
    ${
      matches &&
      matches.length > 0 &&
      !end &&
      html`<p><button type="button" onClick=${more}>
      ${tr("Older ones")}</button></p>`
    }
  </main>`;
}
