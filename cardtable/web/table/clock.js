/** Clocks: a ring around each seat to act, digits near the end, and how long somebody has been away. */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { tr } from "../text/message.js";
import { Face } from "../faces/faces.js";
import { chime } from "../motion/sound.js";

// seconds in which the digits show
const SHORT = 10;

/** The server's time, updated every `every` milliseconds. @param {() => number} now @param {number} every */
function useTime(now, every) {
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((n) => n + 1), every);
    return () => clearInterval(timer);
  }, [every]);
  return now();
}

/** "0:35" @param {number} seconds */
export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/**
 * A player's face in a ring that shrinks; near the end it shows the seconds, and the player to act hears one tick.
 * @param {{name: string, person: boolean, deadline: number, span: number, now: () => number, mine: boolean}} props
 */
export function Ring({ name, person, deadline, span, now, mine }) {
  const rest = Math.max(0, deadline - useTime(now, 250));
  const left = Math.ceil(rest / 1000);
  const short = left <= SHORT;
  const ticked = useRef(0);
  useEffect(() => {
    if (!short || !mine || ticked.current === deadline) return;
    ticked.current = deadline;
    chime("tick");
  }, [short, deadline]);
  return html`<span class="avatar runs ${short ? "short" : ""}" role="timer"
    aria-label=${tr("{n} {n:second|seconds} left", { n: left })}
    style=${{ "--part": Math.min(1, rest / Math.max(1, span)) }}>
    <${Face} name=${name} person=${person} />${short && html`<b aria-hidden="true">${left}</b>`}</span>
      ${
        mine &&
        html`<span class="sr" role="status">${short ? tr("{n} {n:second|seconds} left", { n: SHORT }) : ""}</span>`
      }`;
}

/** @param {{name: string, person?: boolean}} props */
export const Avatar = ({ name, person }) =>
  html`<span class="avatar" aria-hidden="true"><${Face} name=${name} person=${person} /></span>`;

/** When a player whose connection is lost counts as gone. @param {{place: any, now: () => number}} props */
export function Leaving({ place, now }) {
  const seconds = Math.max(0, Math.ceil((place.leaves - useTime(now, 500)) / 1000));
  return html`<span role="timer">${tr("{name} is away: a bot may play in {time}", {
    name: place.name,
    time: minutes(seconds),
  })}</span>`;
}

/** How long a player who left may still come back. @param {{place: any, now: () => number}} props */
export function Ending({ place, now }) {
  const seconds = Math.max(0, Math.ceil((place.ends - useTime(now, 500)) / 1000));
  return html`<small role="timer">${tr("The match ends in {time}, unless {name} comes back.", {
    time: minutes(seconds),
    name: place.name,
  })}</small>`;
}

/**
 * How much longer a seat is waited for, or how long its owner has been gone.
 * @param {{place: any, now: () => number}} props
 */
export function Away({ place, now }) {
  const time = useTime(now, 500);
  if (place.stood_in) return html`<span class="badge warn">${tr("a bot stands in")}</span>`;
  const seconds = Math.max(0, Math.ceil((place.left ? time - place.left : place.leaves - time) / 1000));
  const known = place.left || place.leaves;
  const where = place.present ? tr("away", { context: "player" }) : tr("gone", { context: "player" });
  return html`<span class="badge warn" role="timer">${where}${known ? ` ${minutes(seconds)}` : " …"}</span>`;
}
