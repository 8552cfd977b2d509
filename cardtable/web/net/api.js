/** Requests to the server, and its errors as sentences. */
import { at } from "../browser/address.js";
import { written } from "../text/message.js";

/** An error: something that the server refused, or could not do. */
export class ApiError extends Error {
  /** @param {number} status @param {string} code @param {import("../text/message.js").Value} told */
  constructor(status, code, told) {
    super(written(told, {}, true));
    this.status = status;
    this.code = code;
    this.told = told;
  }
}

/** @param {string} path @param {RequestInit} [init] */
async function ask(path, init) {
  let answer;
  try {
    answer = await fetch(at(path), { credentials: "same-origin", ...init });
  } catch {
    throw new ApiError(0, "network", { says: "the server does not answer; try again in a moment" });
  }
  if (answer.ok) return answer;
  const error = (await answer.json().catch(() => null))?.error;
  const found = new ApiError(
    answer.status,
    error?.code ?? "http",
    error?.message ?? { says: "the server answers with {status}", status: answer.status },
  );
  if (found.code === "person/banned") dispatchEvent(new CustomEvent("banned", { detail: found }));
  throw found;
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await ask(path)).json();

/**
 * The address of a game's rules at a table. @param {string} game @param {string} [preset] @param {Record<string, any>}
 * [options] house rules
 * @param {number} [seats] not known: 0
 * @param {string} [language] of what is translated
 */
export function rulesAt(game, preset = "", options = {}, seats = 0, language = "") {
  const asked = new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)]));
  if (preset) asked.set("preset", preset);
  if (seats) asked.set("seats", String(seats));
  if (language && language !== "en") asked.set("language", language);
  return `/api/games/${encodeURIComponent(game)}/rules.html?${asked}`;
}

/** What has no answer yet. @type {Record<string, Promise<any>>} */
const sending = {};

/**
 * Send something; the same again, as by a double click, waits for the same answer.
 * @param {string} path @param {unknown} data @param {RequestInit} [init]
 */
export function post(path, data, init = {}) {
  const body = typeof data === "string" ? data : JSON.stringify(data);
  const what = path + body;
  return (sending[what] ??= ask(path, { method: "POST", body, ...init })
    .then((answer) => answer.json())
    .finally(() => delete sending[what]));
}

/** Delete what is at a path. @param {string} path @returns {Promise<any>} */
export const remove = async (path) => (await ask(path, { method: "DELETE" })).json();

/** @param {string} path @returns {Promise<string>} */
export const text = async (path) => (await ask(path)).text();
