/** The player's devices: linking another one, and a list from which they are signed out. */
import { html, useEffect, useState } from "../browser/html.js";
import { get, post, remove } from "../net/api.js";
import { code } from "../text/language.js";
import { Address, OnlyHere } from "../net/share.js";
import { choices } from "../browser/store.js";
import { tr } from "../text/message.js";

/** How long a link is still valid, in minutes, rounded up. @param {number} until @param {number} now */
const minutes = (until, now) => Math.ceil((until - now) / 60000);

/** A link and QR code with which another device becomes this person's, too. */
export function NewDevice() {
  const [made, setMade] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!made) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 5000);
    return () => clearInterval(timer);
  }, [made]);
  const make = () => {
    setWrong("");
    post("/api/me/link", { name: choices().name })
      .then((told) => {
        const at = performance.now();
        setNow(at);
        setMade({ ...told, until: at + told.seconds * 1000 });
      })
      .catch((problem) => setWrong(problem.message));
  };
  const valid = made && made.until > now;
  return html`<section aria-labelledby="device"><h2 id="device">${tr("Another device")}</h2>
    <p>${tr(
      "To play as the same person on your phone or another computer, make a link and open it there. Show it to " +
        "nobody: anybody who opens it becomes you.",
    )}</p>
    ${wrong && html`<p class="problem" role="alert">${wrong}</p>`}
    ${
      valid &&
      html`<${OnlyHere} /><div class="device"><div>
      <${Address} key=${made.link} link=${made.link} label=${tr("Link for another device")} />
      <p role="status">${tr("It works once, within {n} {n:minute|minutes}.", { n: minutes(made.until, now) })}</p></div>
      <img src=${`data:image/svg+xml,${encodeURIComponent(made.qr)}`} width="160" height="160"
        alt=${tr("The link for another device as a QR code")} /></div>`
    }
    ${made && !valid && html`<p role="status">${tr("The link is no longer valid.")}</p>`}
    <p><button type="button" onClick=${make}>${made ? tr("Make a new link") : tr("Make a link")}</button></p>
  </section>`;
}

/** What a device is called. @param {{this: boolean, linked: number}} device */
function called(device) {
  if (device.this) return tr("This device");
  if (!device.linked) return tr("Your first device");
  const time = new Date(device.linked).toLocaleString(code(), { dateStyle: "medium", timeStyle: "short" });
  return tr("Linked on {time}", { time });
}

/** A day, which the server gives as its beginning in UTC. @param {number} at */
const day = (at) => new Date(at).toLocaleDateString(code(), { dateStyle: "medium", timeZone: "UTC" });

/** All devices of the player, with buttons to sign out the others. */
export function DeviceList() {
  const [devices, setDevices] = useState(/** @type {any[]} */ ([]));
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState("");
  const failed = (/** @type {Error} */ problem) => setWrong(problem.message);
  const load = () => get("/api/me/devices").then((told) => setDevices(told.devices));
  useEffect(() => {
    const again = () => document.visibilityState === "visible" && load().catch(failed);
    again();
    document.addEventListener("visibilitychange", again); // another device may have been linked meanwhile
    return () => document.removeEventListener("visibilitychange", again);
  }, []);
  const signOut = (/** @type {string} */ path) => {
    setBusy(true);
    setWrong("");
    setDone("");
    remove(path)
      .then((told) => setDone(tr("{n} {n:device is|devices are} signed out.", { n: told.signed_out.length })))
      .catch(failed)
      .then(load)
      .catch(failed)
      .finally(() => setBusy(false));
  };
  const others = devices.filter((device) => !device.this);
  return html`<section aria-labelledby="devices"><h2 id="devices">${tr("Your devices")}</h2>
    <p>${tr(
      "If you have lost a device, or somebody else uses it now, sign it out: then it is no longer you. To use it " +
        "again, link it again.",
    )}</p>
    ${wrong && html`<p class="problem" role="alert">${wrong}</p>`}
    <ul class="devices" aria-labelledby="devices">${devices.map(
      (device) => html`<li key=${device.id}><span>${called(device)}</span>
        <span class="seen">${
          !device.this && device.seen > 0 && tr("last used on {day}", { day: day(device.seen) })
        }</span>
        ${
          !device.this &&
          html`<button type="button" disabled=${busy} aria-label=${tr("Sign out: {device}", { device: called(device) })}
            onClick=${() => signOut(`/api/me/devices/${device.id}`)}>${tr("Sign out")}</button>`
        }</li>`,
    )}</ul>
    <p role="status">${done}</p>
    ${
      others.length > 1 &&
      html`<p><button type="button" disabled=${busy} onClick=${() => signOut("/api/me/devices")}>
        ${tr("Sign out all other devices")}</button></p>`
    }
  </section>`;
}
