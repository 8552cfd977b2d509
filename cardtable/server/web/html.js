/** The one place that knows preact and htm: everything else writes html`…`. */
import { h, render, Fragment } from "preact";
import htm from "htm";

export const html = htm.bind(h);
export { render, Fragment };
export { useState, useEffect, useLayoutEffect, useRef, useMemo } from "preact/hooks";
