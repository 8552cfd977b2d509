/** The cards that a seat has captured: a pile face down, with a card across it for each sweep, as on a real table. */
import { html } from "../browser/html.js";
import { Card } from "../faces/cards.js";

/** Whether a zone is such a pile. @param {any} zone */
export const isWon = (zone) => zone.won && zone.cards.length > 0;

/** The cards across a pile; when it is turned up to be counted, none. @param {any} zone @returns {string[]} */
export const across = ({ cards }) => (cards.includes(null) ? cards.filter(Boolean) : []);

/** @param {{zone: any}} props */
export const Won = ({ zone }) => html`<span class="won-pile" data-zone=${zone.name} aria-hidden="true">
  <${Card} card=${null} />${across(zone).map((card) => html`<${Card} key=${card} card=${card} small />`)}</span>`;
