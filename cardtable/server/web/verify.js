/** Checks the proof in a record that its shuffle was fair. */
import { html, useState } from "./html.js";
import { post } from "./api.js";
import { mark } from "./language.js";
import { tr } from "./message.js";

/** The parts of a proof. @type {Record<string, string>} */
const PARTS = {
  table: mark("table"),
  match: mark("match"),
  commitment: mark("commitment"),
  secret: mark("secret"),
  entropy: mark("entropy"),
  seed: mark("seed"),
  moves: mark("moves"),
};

export function Verify() {
  const [text, setText] = useState("");
  const [proof, setProof] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  const check = (/** @type {string} */ record) => {
    setProof(null);
    setWrong("");
    post("/api/verify", record)
      .then(setProof)
      .catch((problem) => setWrong(problem.message));
  };
  return html`<main class="page" id="main"><h1>${tr("Fair shuffles")}</h1>
    <p>${tr(
      "Before anybody sits down, the server shows a number that binds it to a secret. The cards follow from that " +
        "secret and from letters that every player's own machine draws. When the match is over the secret is shown: " +
        "whoever has the record can check that nothing was changed.",
    )}</p>
    <p><label class="button primary">${tr("Check a record …")} <input class="sr" type="file" accept=".toml"
      onChange=${async (/** @type {any} */ e) => e.target.files[0] && check(await e.target.files[0].text())} /></label>
      </p>
    <label class="field">${tr("or paste it here")}<textarea rows="6" value=${text} spellcheck=${false}
      onInput=${(/** @type {any} */ e) => setText(e.target.value)}></textarea></label>
    <p><button type="button" disabled=${!text.trim()} onClick=${() => check(text)}>${tr("Check")}</button></p>
    <div role="status">${wrong && html`<p class="problem">${wrong}</p>`}
    ${
      proof &&
      html`<div class="proof"><p class="good">${tr("The shuffle was fair. {n} {n:move was|moves were} replayed.", {
        n: proof.moves,
      })}</p><dl>${Object.entries(proof)
        .filter(([key]) => key !== "ok")
        .map(
          ([key, value]) =>
            html`<div key=${key}><dt>${tr(PARTS[key] ?? key)}</dt><dd><code translate=${false}>
              ${Array.isArray(value) ? value.join(" ") : String(value)}</code></dd></div>`,
        )}</dl><p>${tr("Compare the commitment with the one that your table showed.")}</p></div>`
    }</div>
  </main>`;
}
