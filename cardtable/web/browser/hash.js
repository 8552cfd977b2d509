/**
 * SHA-256 and HMAC, as hexadecimal digits: by Web Crypto, and on pages without it (plain http from another machine) by
 * a vendored library.
 */

// a file that does not come stops the page while it loads, and not in the middle of a shuffle
const vendored = crypto.subtle ? null : (await import("js-sha256")).sha256;

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** @param {ArrayBuffer | Uint8Array} data */
export const hex = (data) => [...new Uint8Array(data)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes that hexadecimal digits stand for. @param {string} digits */
export const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {string | Uint8Array<ArrayBuffer>} data */
export async function sha256(data) {
  if (vendored) return vendored(data);
  return hex(await crypto.subtle.digest("SHA-256", typeof data === "string" ? bytes(data) : data));
}

/** HMAC with SHA-256. @param {Uint8Array<ArrayBuffer>} key @param {string} text */
export async function hmac(key, text) {
  if (vendored) return vendored.hmac(key, text);
  const kind = { name: "HMAC", hash: "SHA-256" };
  const made = await crypto.subtle.importKey("raw", key, kind, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", made, bytes(text)));
}
