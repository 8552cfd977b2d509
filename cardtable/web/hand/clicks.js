/**
 * The second clicks of double clicks. A move changes what lies under the pointer at once, so the second click
 * of a double click would make a move that nobody meant.
 */

// ms between the clicks of a double click, at most
const TWICE = 500;
// px between them, at most: two cards of a fan are further apart
const NEAR = 12;

/** @typedef {{timeStamp: number, clientX: number, clientY: number, detail: number}} Click */

/** The clicks of a page. */
export class Clicks {
  /**
   * The last click that was not ignored. `opens`: it has only chosen or lifted something, so that the second click of a
   * double click makes the first move.
   * @type {{at: number, x: number, y: number, opens: boolean} | null}
   */
  #last = null;
  #skipped = false; // whether the newest click was ignored
  ignored = false; // whether what happens now comes from a click that makes no move

  /** A click begins. @param {Click} click */
  begin({ timeStamp: at, clientX: x, clientY: y, detail }) {
    const last = this.#last;
    const near = !last || Math.max(Math.abs(x - last.x), Math.abs(y - last.y)) < NEAR;
    const soon = last !== null && at - last.at < TWICE;
    // The browser counts clicks: 0 for those of keys and scripts. Some say 1 for each tap, and what is the first click
    // here may be called 2 if the one before was on another page.
    const again = near && (detail > 1 ? soon || !this.#skipped : detail === 1 && soon);
    this.ignored = again && !last?.opens;
    this.#skipped = this.ignored;
    if (!this.ignored) this.#last = { at, x, y, opens: false };
  }

  /** Everything that a click brings about has been done. */
  end() {
    this.ignored = false;
  }

  /** The click of this moment chooses something: another one at once may make a move. */
  opens() {
    if (this.#last) this.#last.opens = true;
  }

  /** A move is made. */
  moves() {
    if (this.#last) this.#last.opens = false;
  }
}

export const clicks = new Clicks();

addEventListener(
  "click",
  (click) => {
    clicks.begin(click);
    setTimeout(() => clicks.end());
  },
  true,
);
