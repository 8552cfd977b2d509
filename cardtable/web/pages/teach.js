/** Tasks for a class: a list; and one with its cards, its solution, the link for pupils and a sheet to print. */
import { at } from "../browser/address.js";
import { html, useEffect, useState } from "../browser/html.js";
import { get } from "../net/api.js";
import { Problem, useAsked } from "../net/asked.js";
import { OnlyHere } from "../net/share.js";
import { tr } from "../text/message.js";
import { Solution, Worksheet } from "./worksheet.js";

/** Time, age and players of a task. @param {{task: any}} props */
const Facts = ({ task }) =>
  html`<p class="fine">${tr(task.game_title)} · ${tr("{n} {n:player|players}", { n: task.seats })} ·
    ${" "}${tr("{n} min", { n: task.minutes })} · ${tr("from age {n}", { n: task.age })}</p>`;

/** The list of all tasks. */
function Tasks() {
  const [told, error] = useAsked(() => get("/api/tasks"), []);
  return html`<main class="page teach" id="main"><h1>${tr("For a class")}</h1>
    <p>${tr(
      "Each task has cards, a question and a solution. Print it as a sheet, or give your pupils the link: everybody " +
        "then plays the same cards alone.",
    )}</p>
    ${error && html`<${Problem} error=${error} />`}
    ${!told && !error && html`<p class="loading" role="status">${tr("One moment …")}</p>`}
    <ul class="tasks">${(told?.tasks ?? []).map(
      (/** @type {any} */ task) => html`<li key=${task.name} class="panel"><h2><a href=${`/teach/${task.name}`}>
        ${tr(task.title)}</a></h2><${Facts} task=${task} /></li>`,
    )}</ul></main>`;
}

/** The link with which pupils open the same cards. @param {{task: any}} props */
function ForPupils({ task }) {
  const link = location.origin + at(task.path);
  return html`<section class="panel pupils"><h2>${tr("For your pupils")}</h2>
    <p>${tr("With this link everybody plays the same cards alone, against bots, and is first to decide.")}</p>
    <p class="link"><input readonly value=${link} aria-label=${tr("Link to these cards")}
      onFocus=${(/** @type {any} */ e) => e.target.select()} /></p>
    <img src=${`/api/tasks/${task.name}/qr.svg`} alt=${tr("The link as a QR code")} width="150" height="150" />
    <${OnlyHere} />
    <p><a class="button" href=${task.path}>${tr("Play these cards")}</a></p></section>`;
}

/** One task. @param {{task: any}} props */
function One({ task }) {
  const [open, setOpen] = useState(false);
  const [both, setBoth] = useState(true);
  useEffect(() => {
    document.title = `${tr(task.title)} — Cardtable`;
  }, [task]);
  return html`<main class="page teach" id="main">
    <p class="unprinted"><a href="/teach">${tr("All tasks")}</a></p>
    <${Worksheet} task=${task} link=${location.host + at(task.path)}><${Facts} task=${task} /><//>
    <p class="actions unprinted">
      <button type="button" class="primary" onClick=${() => print()}>${tr("Print the sheet")}</button>
      <label><input type="checkbox" checked=${both} onChange=${() => setBoth(!both)} />
        ${" "}${tr("with the solution on a second page")}</label>
      <button type="button" aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>
        ${open ? tr("Hide the solution") : tr("Show the solution")}</button></p>
    <div class="solution ${open ? "" : "unseen"} ${both ? "" : "unprinted"}"><${Solution} task=${task} /></div>
    <div class="unprinted"><${ForPupils} task=${task} /></div></main>`;
}

/** @param {{name: string}} props `name`: of a task; "": the list of all */
export function Teach({ name }) {
  return name ? html`<${Named} key=${name} name=${name} />` : html`<${Tasks} />`;
}

/** @param {{name: string}} props */
function Named({ name }) {
  const [task, error] = useAsked(() => get(`/api/tasks/${encodeURIComponent(name)}`), [name]);
  if (task) return html`<${One} task=${task} />`;
  return html`<main class="page teach" id="main"><h1>${tr("For a class")}</h1>${
    error ? html`<${Problem} error=${error} />` : html`<p class="loading" role="status">${tr("One moment …")}</p>`
  }</main>`;
}
