/** Soft sounds, made here from noise and tones; off unless a player wants them. */
import { choices } from "../browser/store.js";

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} a second of noise, from which paper and wood are cut */
let noise = null;

/**
 * A burst of noise: paper or wood, by its pitch. `at`, `lasts`: seconds; `pitch`: Hz; `sharp`: how narrow its band is.
 * @typedef {{at?: number, lasts: number, pitch: number, sharp: number, loud: number}} Burst
 */
/** A tone that dies away. @typedef {{at?: number, lasts: number, pitch: number, loud: number}} Tone */

/** @param {number} n @param {number} apart seconds @param {Burst} one @returns {Burst[]} */
const several = (n, apart, one) => Array.from({ length: n }, (_, i) => ({ ...one, at: (one.at ?? 0) + i * apart }));

/** @type {Burst} */
const CARD = { lasts: 0.07, pitch: 2400, sharp: 0.8, loud: 0.5 };
/** @type {Burst} */
const CHIP = { lasts: 0.035, pitch: 5200, sharp: 9, loud: 0.9 };
/** @type {Burst} */
const WOOD = { lasts: 0.09, pitch: 320, sharp: 5, loud: 1.6 };
const CHORD = [523, 659, 784];

/** The sound of each beat. @type {Record<string, {bursts?: Burst[], tones?: Tone[]}>} */
const BEATS = {
  deal: { bursts: several(6, 0.07, { ...CARD, loud: 0.35 }) },
  flip: { bursts: [{ ...CARD, pitch: 3200, lasts: 0.05 }] },
  draw: { bursts: [{ ...CARD, pitch: 1800, lasts: 0.1, loud: 0.4 }] },
  play: { bursts: [CARD] },
  capture: { bursts: [CARD, ...several(3, 0.08, { ...CARD, at: 0.35, pitch: 1700, loud: 0.35 })] },
  trick: { bursts: several(3, 0.06, { ...CARD, pitch: 1600, loud: 0.35 }) },
  chips: { bursts: several(3, 0.055, CHIP) },
  knock: { bursts: several(2, 0.17, WOOD) },
  doubt: { bursts: [{ ...WOOD, pitch: 220, lasts: 0.14 }] },
  reveal: { bursts: several(2, 0.09, { ...CARD, pitch: 3000 }) },
  sunk: { bursts: [{ lasts: 0.5, pitch: 260, sharp: 1.2, loud: 0.9 }] },
  removed: { bursts: several(5, 0.05, { ...CARD, pitch: 2000, loud: 0.3 }) },
  call: { bursts: [{ ...WOOD, pitch: 520, lasts: 0.05, loud: 0.6 }] },
  pass: { bursts: [{ ...WOOD, pitch: 420, lasts: 0.05, loud: 0.5 }] },
  score: { tones: [{ pitch: 880, lasts: 0.18, loud: 0.12 }] },
  open: { bursts: several(4, 0.06, { ...CARD, pitch: 2800, loud: 0.3 }) },
  win: { tones: CHORD.map((pitch, i) => ({ pitch, at: i * 0.09, lasts: 0.7, loud: 0.14 })) },
};

/** Sounds other than those of beats. @type {Record<string, {tones: Tone[]}>} */
const CHIMES = {
  turn: {
    tones: [
      { pitch: 660, lasts: 0.22, loud: 0.24 },
      { pitch: 880, at: 0.12, lasts: 0.22, loud: 0.24 },
    ],
  },
  no: { tones: [{ pitch: 180, lasts: 0.22, loud: 0.24 }] },
  tick: { tones: [{ pitch: 1200, lasts: 0.22, loud: 0.24 }] },
};

/** Where sounds go, if the player wants them. */
function ready() {
  // browsers allow sound only after the user has interacted with the page
  if (!choices().sound || navigator.userActivation?.hasBeenActive === false) return null;
  audio ??= new AudioContext();
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = 2 * Math.random() - 1;
  }
  return { audio, noise };
}

/** @param {AudioContext} audio @param {number} start @param {number} lasts @param {number} loud */
function fading(audio, start, lasts, loud) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud * choices().volume, start + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.001, start + lasts);
  gain.connect(audio.destination);
  return gain;
}

/** @param {{bursts?: Burst[], tones?: Tone[]} | undefined} what */
function play(what) {
  const out = what && ready();
  if (!out) return;
  const { audio, noise } = out;
  for (const { at = 0, lasts, pitch, sharp, loud } of what.bursts ?? []) {
    const start = audio.currentTime + at;
    const source = audio.createBufferSource();
    source.buffer = noise;
    const band = audio.createBiquadFilter();
    band.type = "bandpass";
    band.frequency.value = pitch;
    band.Q.value = sharp;
    source.connect(band).connect(fading(audio, start, lasts, loud * 0.5));
    source.start(start, Math.random() * 0.4, lasts + 0.05);
  }
  for (const { at = 0, lasts, pitch, loud } of what.tones ?? []) {
    const start = audio.currentTime + at;
    const tone = audio.createOscillator();
    tone.frequency.value = pitch;
    tone.connect(fading(audio, start, lasts, loud));
    tone.start(start);
    tone.stop(start + lasts + 0.03);
  }
}

/** The kinds of beats that are heard. */
export const HEARD = Object.keys(BEATS);

/** The sound of a beat. @param {string} beat */
export const sound = (beat) => play(BEATS[beat]);

/** A signal to the player. @param {"turn" | "no" | "tick"} what */
export const chime = (what) => play(CHIMES[what]);
