/** Checks the proof in a record that its shuffle was fair. */
import { html, useState } from "../browser/html.js";
import { post } from "../net/api.js";
import { OTHER, checked, proofIn } from "../net/shuffle.js";
import { mark } from "../text/language.js";
import { tr } from "../text/message.js";

/** The parts of a proof. @type {Record<string, string>} */
const PARTS = {
  table: mark("table", { context: "proof" }),
  match: mark("match", { context: "proof" }),
  commitment: mark("commitment", { context: "proof" }),
  secret: mark("secret", { context: "proof" }),
  entropy: mark("entropy", { context: "proof" }),
  commitments: mark("commitments", { context: "proof" }),
  seed: mark("seed", { context: "proof" }),
  moves: mark("moves", { context: "proof" }),
};

export function Verify() {
  const [text, setText] = useState("");
  const [proof, setProof] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  const [own, setOwn] = useState("");
  /** Check the proof here, and have the server replay the moves. @param {string} record */
  const check = async (record) => {
    setProof(null);
    setWrong("");
    setOwn("");
    const found = proofIn(record);
    const here = found && (await checked(found.proof, found.seed));
    if (here?.wrong) return setWrong(tr(here.wrong));
    try {
      setProof(await post("/api/verify", record));
      if (here) setOwn(here.own ? "own" : here.other ? "other" : "here");
    } catch (/** @type {any} */ problem) {
      setWrong(problem.message);
    }
  };
  return html`<main class="page" id="main"><h1>${tr("Fair shuffles")}</h1>
    <p>${tr(
      "Before anybody sits down, the server commits to a secret: it shows the secret's SHA-256. Before each match, " +
        "every player's own machine draws random letters (entropy), and commits to them in the same way. Only when " +
        "all have committed are the letters revealed, and the cards follow from them and the secret. So nobody can " +
        "choose the cards, not even whoever runs the server. When the match is over, the secret is shown, and " +
        "anybody who has the record can check it.",
    )}</p>
    <p><label class="button primary">${tr("Check a record …")} <input class="sr" type="file" accept=".toml"
      onChange=${async (/** @type {any} */ e) => e.target.files[0] && check(await e.target.files[0].text())} /></label>
      </p>
    <label class="field">${tr("or paste it here")}<textarea rows="6" value=${text} spellcheck=${false}
      onInput=${(/** @type {any} */ e) => setText(e.target.value)}></textarea></label>
    <p><button type="button" disabled=${!text.trim()} onClick=${() => check(text)}>
      ${tr("Check", { context: "button" })}</button></p>
    <div role="status">${wrong && html`<p class="problem">${wrong}</p>`}
    ${
      proof &&
      html`<div class="proof"><p class="good">${tr("The shuffle was fair. {n} {n:move was|moves were} replayed.", {
        n: proof.moves,
      })}</p><dl>${Object.entries(proof)
        .filter(([key]) => key !== "ok")
        .map(
          ([key, value]) =>
            html`<div key=${key}><dt>${tr(PARTS[key] ?? key, { context: "proof" })}</dt><dd><code translate=${false}>
              ${Array.isArray(value) ? value.join(" ") : String(value)}</code></dd></div>`,
        )}</dl>
      ${
        own &&
        html`<p class="good">${tr(
          "This browser has checked the secret, entropy, commitments and seed; the server has only replayed the moves.",
        )} ${own === "own" && tr("Your own entropy is in the shuffle.")}</p>`
      }
      ${own === "other" && html`<p>${tr(OTHER)}</p>`}
      <p>${tr("Compare the commitment with the one that your table showed.")}
      ${tr("To check everything without this server, use this command on your own machine:")}
      <code translate=${false}> cardtable verify FILE</code></p></div>`
    }</div>
  </main>`;
}
