/** The rulebook's Markdown as elements: headings, paragraphs, lists, tables, emphasis, code. No HTML is ever taken from the text. */
import { html } from "./html.js";
import { Said, tr } from "./message.js";

/** @param {string} text @returns {any} */
function inline(text) {
  const parts = text.split(/(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)\s]+\)|\*[^*\s][^*]*\*)/);
  return parts.map((part, i) => {
    if (i % 2 === 0) return html`<${Said} message=${{ moves: part }} />`;
    if (part.startsWith("**")) return html`<strong>${inline(part.slice(2, -2))}</strong>`;
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("*")) return html`<em>${inline(part.slice(1, -1))}</em>`;
    return html`<span>${part.slice(1, part.indexOf("]"))}</span>`;
  });
}

const CELLS = (/** @type {string} */ line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
const ids = (/** @type {string} */ text) => [...text.matchAll(/\b[A-Z]{2}-[QES]?\d{1,3}\b/g)].map((found) => found[0]);

/** @param {{text: string, lit?: string}} props `lit`: a rule's ID; its clause is marked */
export function Markdown({ text, lit = "" }) {
  const lines = text.replaceAll("\r", "").split("\n");
  const out = [];
  let i = 0;
  const mark = (/** @type {string} */ clause) => (lit && ids(clause)[0] === lit ? "lit" : undefined);
  while (i < lines.length) {
    const line = lines[i];
    if (!line.trim()) i++;
    else if (line.startsWith("```")) {
      const code = [];
      for (i++; i < lines.length && !lines[i].startsWith("```"); i++) code.push(lines[i]);
      i++;
      out.push(html`<pre tabindex="0"><code>${code.join("\n")}</code></pre>`);
    } else if (/^#{1,6} /.test(line)) {
      const level = Math.min(6, line.indexOf(" ") + 1);
      const words = inline(line.replace(/^#+ /, ""));
      out.push([null, null, html`<h2>${words}</h2>`, html`<h2>${words}</h2>`, html`<h3>${words}</h3>`, html`<h4>${words}</h4>`, html`<h4>${words}</h4>`][level]);
      i++;
    } else if (line.trim().startsWith("|")) {
      const rows = [];
      for (; i < lines.length && lines[i].trim().startsWith("|"); i++) rows.push(lines[i]);
      const [head, ...body] = rows.filter((row) => !/^[\s|:-]+$/.test(row));
      out.push(html`<div class="scroll" tabindex="0" role="region" aria-label=${tr("table")}><table><thead><tr>${CELLS(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
        <tbody>${body.map((row) => html`<tr class=${mark(CELLS(row)[0])}>${CELLS(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table></div>`);
    } else if (/^\s*([-*]|\d+\.) /.test(line)) {
      const items = [];
      const numbered = /^\s*\d+\. /.test(line);
      for (; i < lines.length && lines[i].trim(); i++) {
        if (/^\s*([-*]|\d+\.) /.test(lines[i])) items.push(lines[i].replace(/^\s*([-*]|\d+\.) /, ""));
        else items[items.length - 1] += ` ${lines[i].trim()}`;
      }
      out.push(numbered ? html`<ol>${items.map((item) => html`<li class=${mark(item)}>${inline(item)}</li>`)}</ol>` : html`<ul>${items.map((item) => html`<li class=${mark(item)}>${inline(item)}</li>`)}</ul>`);
    } else {
      const words = [];
      for (; i < lines.length && lines[i].trim() && !/^(#|\||```|\s*([-*]|\d+\.) )/.test(lines[i]); i++) words.push(lines[i].trim());
      if (!words.length) words.push(lines[i++].trim());
      const paragraph = words.join(" ");
      out.push(html`<p class=${mark(paragraph)}>${inline(paragraph)}</p>`);
    }
  }
  return out;
}
