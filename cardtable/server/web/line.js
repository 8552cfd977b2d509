/** What a player is told when something is wrong with the server or the shuffle. */
import { html } from "./html.js";
import { Said, tr } from "./message.js";

/** Why play is held up; nothing while it goes on. @param {{why: any}} props */
export const HeldUp = ({ why }) =>
  why &&
  html`<p class="offline" role="status"><${Said}
    message=${{ says: "Play is held up: {why}. It goes on by itself when this is over.", why }} /></p>`;

/** What is wrong with the line to the server, with its database, or with the shuffle. @param {{state: any}} props */
export const Line = ({ state }) =>
  html`${state.wrong && html`<p class="offline" role="alert">${tr(state.wrong)}</p>`}${
    state.up
      ? html`<${HeldUp} why=${state.held} />`
      : html`<p class="offline" role="status">${tr("The connection is gone. Coming back …")}</p>`
  }`;
