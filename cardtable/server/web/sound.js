/** Three short sounds, made here; off unless a player wants them. */
import { choices } from "./store.js";

/** @type {AudioContext | null} */
let audio = null;

/** @param {"turn" | "no" | "tick"} what */
export function chime(what) {
  // browsers allow sound only after the user has interacted with the page
  if (!choices().sound || navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  const start = audio.currentTime;
  ({ turn: [660, 880], no: [180], tick: [1200] })[what].forEach((pitch, i) => {
    if (!audio) return;
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0, start + i * 0.12);
    loud.gain.linearRampToValueAtTime(0.24 * choices().volume, start + i * 0.12 + 0.01);
    loud.gain.exponentialRampToValueAtTime(0.001, start + i * 0.12 + 0.22);
    tone.connect(loud).connect(audio.destination);
    tone.start(start + i * 0.12);
    tone.stop(start + i * 0.12 + 0.25);
  });
}
