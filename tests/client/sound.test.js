/** When a page makes sounds, and which: browsers refuse them on a page that nobody has touched. */
import assert from "node:assert/strict";
import test from "node:test";
import { client, page } from "./client.js";

page.keep({ sound: true });
const made = { contexts: 0, tones: [] };
const part = () => ({ connect: (next) => next, gain: part.value, frequency: { value: 0 } });
part.value = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
globalThis.AudioContext = class {
  sampleRate = 1;
  currentTime = 0;
  constructor() {
    made.contexts += 1;
  }
  createBuffer = () => ({ getChannelData: () => new Float32Array(1) });
  createGain = part;
  createOscillator() {
    const tone = { ...part(), start() {}, stop() {} };
    made.tones.push(tone);
    return tone;
  }
};
const { chime } = await client("motion/sound");
const { choose } = await client("browser/store");

test("a page that nobody touched does not try to sound", () => {
  navigator.userActivation = { hasBeenActive: false };
  chime("turn");
  assert.deepEqual(made, { contexts: 0, tones: [] });
  navigator.userActivation.hasBeenActive = true;
  chime("turn");
  assert.equal(made.contexts, 1);
  assert.deepEqual(
    made.tones.map((tone) => tone.frequency.value),
    [660, 880],
  );
  choose({ sound: false });
  chime("tick");
  assert.equal(made.tones.length, 2, "who wants no sounds hears none");
  choose({ sound: true });
  chime("tick");
  assert.equal(made.contexts, 1, "one for the page");
  assert.equal(made.tones.at(-1).frequency.value, 1200);
});
