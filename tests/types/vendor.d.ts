// What the client uses of the vendored modules, for `tsc --checkJs` (tools/check_client.py). Nothing of this is shipped.
declare module "preact" {
  export type Node = any;
  export function h(type: any, props?: any, ...children: any[]): Node;
  export function render(node: Node, parent: Element): void;
  export const Fragment: any;
  export const options: { debounceRendering?: (draw: () => void) => void };
}
declare module "preact/hooks" {
  export function useState<T>(first: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
  export function useEffect(run: () => void | (() => void), on?: readonly unknown[]): void;
  export function useLayoutEffect(run: () => void | (() => void), on?: readonly unknown[]): void;
  export function useRef<T>(first: T): { current: T };
  export function useMemo<T>(make: () => T, on?: readonly unknown[]): T;
}
declare module "htm" {
  const htm: { bind(h: any): (strings: TemplateStringsArray, ...values: any[]) => any };
  export default htm;
}
declare module "js-sha256" {
  type Data = string | Uint8Array;
  export const sha256: { (data: Data): string; hmac(key: Data, data: Data): string };
}
