/** Was a shuffle fair? A record's proof, checked. */
import { html, useState } from "./html.js";
import { post } from "./api.js";

export function Verify() {
  const [text, setText] = useState("");
  const [proof, setProof] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  const check = (/** @type {string} */ record) => {
    setProof(null);
    setWrong("");
    post("/api/verify", record).then(setProof).catch((problem) => setWrong(problem.message));
  };
  return html`<main class="page" id="main"><h1>Fair shuffles</h1>
    <p>Before anybody sits down, the server shows a number that binds it to a secret. The cards follow from that secret and from letters that every player's own machine draws. When the match is over the secret is shown: whoever has the record can check that nothing was changed.</p>
    <p><label class="button primary">Check a record … <input class="sr" type="file" accept=".toml" onChange=${async (/** @type {any} */ e) => e.target.files[0] && check(await e.target.files[0].text())} /></label></p>
    <label class="field">or paste it here<textarea rows="6" value=${text} spellcheck=${false} onInput=${(/** @type {any} */ e) => setText(e.target.value)}></textarea></label>
    <p><button type="button" disabled=${!text.trim()} onClick=${() => check(text)}>Check</button></p>
    <div role="status">${wrong && html`<p class="problem">${wrong}</p>`}
    ${proof && html`<div class="proof"><p class="good">The shuffle was fair. ${proof.moves} moves were replayed.</p><dl>${Object.entries(proof).filter(([key]) => key !== "ok").map(([key, value]) => html`<div key=${key}><dt>${key}</dt><dd><code>${Array.isArray(value) ? value.join(" ") : String(value)}</code></dd></div>`)}</dl><p>Compare the commitment with the one that your table showed.</p></div>`}</div>
  </main>`;
}
