/** One's finished matches, with their records; records from elsewhere. */
import { html, useEffect, useState } from "./html.js";
import { get, post } from "./api.js";

export function Finished() {
  const [matches, setMatches] = useState(/** @type {any[] | null} */ (null));
  const [end, setEnd] = useState(false);
  const [wrong, setWrong] = useState("");
  const more = () => get(`/api/matches${matches?.length ? `?before=${matches.at(-1).id}` : ""}`).then(({ matches: found }) => {
    setMatches([...(matches ?? []), ...found]);
    setEnd(found.length < 50);
  }).catch((problem) => setWrong(problem.message));
  useEffect(() => void more(), []);
  const upload = async (/** @type {any} */ e) => {
    const file = e.target.files[0];
    if (!file) return;
    try {
      location.href = `/replay/${(await post("/api/records", await file.text())).id}`;
    } catch (problem) {
      setWrong(/** @type {Error} */ (problem).message);
    }
  };
  return html`<main class="page" id="main"><h1>Finished games</h1>
    ${wrong && html`<p class="problem" role="alert">${wrong}</p>`}
    <p><label class="button">Open a record … <input class="sr" type="file" accept=".toml" onChange=${upload} /></label></p>
    ${matches && !matches.length && html`<p>None yet. <a href="/">Play one</a>.</p>`}
    ${!matches && !wrong && html`<p role="status">One moment …</p>`}
    <ul class="tables">${(matches ?? []).map((match) => html`<li key=${match.id}><a href="/replay/${match.id}"><b>${match.title}</b>
      <span>${match.players.map((/** @type {any} */ p) => `${p.you ? "you" : p.name} ${p.score}${p.won ? " ★" : ""}`).join(", ")}${match.counts ? "" : " · not counted"}</span>
      <em>${new Date(match.at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}</em></a></li>`)}</ul>
    ${matches && matches.length > 0 && !end && html`<p><button type="button" onClick=${more}>Older ones</button></p>`}
  </main>`;
}
