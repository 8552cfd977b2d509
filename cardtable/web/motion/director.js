/**
 * The director of a table: what the server tells waits in one queue, and is shown beat by beat. It knows neither the
 * page nor a clock: both are given to it, so that tests can read its queue instead of waiting.
 */
import { PACES } from "../browser/store.js";

/** @typedef {import("./beats.js").Beat} Beat */
/**
 * One message of the server: `beats`, at the beat number `drawn` of which the table is drawn; `own`: the player's own
 * move, which nothing delays; `told`: what is drawn.
 * @typedef {{beats: Beat[], drawn: number, own: boolean, told: any}} Scene
 */
/**
 * Where it is shown. `draw`: draw what a scene tells, whose beats from number `at` on are yet to come; `beat`: begin a
 * beat (null: nothing is left); `missed`: what was to be shown of beats comes no more; `speed`: one of the speeds in
 * the
 * settings; `later`, `cancel`: a clock.
 * @typedef {{draw: (scene: Scene, at: number) => void,
 * beat: (beat: Beat | null, scene: Scene | null, at: number) => void, missed?: (beats: Beat[]) => void,
 * speed: () => string,
 * later: (act: () => void, ms: number) => any, cancel: (timer: any) => void}} Stage
 */

// ms at normal speed that scenes wait at most: what is older is then shown at once
const MOST = 4000;

export class Director {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {Scene[]} scenes that wait, oldest first */
    this.queue = [];
    /** @type {Scene | null} */
    this.scene = null;
    this.at = 0; // the number of the scene's beat that is shown
    /** @type {any} */
    this.timer = null;
  }

  /** Whether something is still to be drawn. */
  get behind() {
    return this.queue.length > 0 || (this.scene !== null && this.at < this.scene.drawn);
  }

  /** Whether a beat is being shown. */
  get busy() {
    return this.scene !== null;
  }

  /** Milliseconds at normal speed for which the last scene in the queue will wait, besides the beat that is shown. */
  get wait() {
    const rest = this.scene ? this.scene.beats.slice(this.at + 1) : [];
    return this.queue.slice(0, -1).reduce((sum, scene) => sum + lasts(scene.beats), lasts(rest));
  }

  /** Show a scene after the waiting ones; the player's own move is shown at once. @param {Scene} scene */
  push(scene) {
    if (scene.own || this.stage.speed() === "instant") this.skip();
    this.queue.push(scene);
    if (!this.scene) this.#next();
    while (this.queue.length && this.wait > MOST) this.#pass();
  }

  /** Stop showing anything. */
  close() {
    this.stage.cancel(this.timer);
    this.queue = [];
    this.scene = null;
  }

  /** Show all that waits now. */
  skip() {
    this.stage.cancel(this.timer);
    if (!this.scene && !this.queue.length) return;
    this.#finish();
    for (const scene of this.queue.splice(0)) {
      this.stage.draw(scene, scene.beats.length);
      this.stage.missed?.(scene.beats);
    }
    this.stage.beat(null, null, 0);
  }

  /** Continue with the next scene, without the remaining beats. */
  #pass() {
    this.stage.cancel(this.timer);
    this.#finish();
    this.#next();
  }

  /** Draw the rest of the scene without its beats. */
  #finish() {
    if (this.scene && (this.at < this.scene.drawn || this.at < this.scene.beats.length - 1)) {
      this.stage.draw(this.scene, this.scene.beats.length);
      this.stage.missed?.(this.scene.beats.slice(this.at + 1));
    }
    this.scene = null;
  }

  #next() {
    for (;;) {
      if (this.scene && this.at + 1 < this.scene.beats.length) this.at += 1;
      else {
        this.scene = this.queue.shift() ?? null;
        this.at = 0;
        if (!this.scene) return this.stage.beat(null, null, 0);
      }
      const { scene, at } = this;
      if (at >= scene.drawn) this.stage.draw(scene, at);
      const beat = scene.beats[at];
      if (!beat) continue;
      this.stage.beat(beat, scene, at);
      const ms = beat.ms * PACES[this.stage.speed()];
      if (ms > 0) {
        this.timer = this.stage.later(() => this.#next(), ms);
        return undefined;
      }
    }
  }
}

/** @param {Beat[]} beats */
const lasts = (beats) => beats.reduce((sum, beat) => sum + beat.ms, 0);
