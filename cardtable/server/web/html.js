/** The only module that imports preact and htm: all others write html`…`. */
import { h, render, Fragment } from "preact";
import htm from "htm";

export const html = htm.bind(h);
export { render, Fragment };
export { useState, useEffect, useLayoutEffect, useRef, useMemo } from "preact/hooks";
