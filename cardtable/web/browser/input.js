/** Whether this page is operated by keys or by a pointer: what was used last. */

let keys = false;

addEventListener("keydown", () => (keys = true), true);
addEventListener("pointerdown", () => (keys = false), true);

export const byKeys = () => keys;
