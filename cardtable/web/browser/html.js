/** The module that imports preact and htm: all others write html`…`. */
import { h, render, Fragment } from "preact";
import htm from "htm";
import { at } from "./address.js";
import "./translated.js";

const LINKS = ["href", "src"];

/**
 * An element; in its links, paths of this site become addresses.
 * @param {any} type @param {Record<string, any> | null} props @param {any[]} children
 */
function element(type, props, ...children) {
  const placed = { ...props };
  for (const name of typeof type === "string" ? LINKS : [])
    if (typeof placed[name] === "string" && placed[name].startsWith("/")) placed[name] = at(placed[name]);
  return h(type, placed, ...children);
}

export const html = htm.bind(element);
export { render, Fragment };
export { useState, useEffect, useLayoutEffect, useRef, useMemo } from "preact/hooks";
