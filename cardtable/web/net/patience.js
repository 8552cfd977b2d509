/** Waiting for the server: what is said when it does not answer, and how it is asked again. */
import { ApiError, post } from "./api.js";

// ms after which a notice says that there is no answer
const LATE = 8000;
// ms until the server is asked again; each time twice as long, up to LATE
const SOON = 1000;
// ms for which an answer is waited for that only says what is wrong
const WORTH = 4000;

/** That an answer is waited for longer than usual. */
export const UNANSWERED = {
  says: "the server has not answered yet; this page continues automatically when it does",
};
/** That the device has no network. */
export const OFFLINE = { says: "you are offline; what you play is sent when you are back" };
const SILENT = { says: "the server does not answer; this page continues automatically when it does" };
const NO_SOCKET = {
  says:
    "no connection to the table can be opened, although the server answers: perhaps a proxy or a firewall on the way " +
    "does not let WebSockets through; this page continues automatically when it can",
};

/** Whether what went wrong may be over later, as when the server is restarting. @param {any} error */
const passes = (error) => !error.status || error.status === 429 || error.status >= 500;

/** An error as it is shown while the server is asked again. @param {any} error */
const told = (error) => (error.status ? error : new ApiError(0, "network", SILENT));

/**
 * Say when a promise takes long. @template T @param {Promise<T>} promise
 * @param {(error: ApiError) => void} tell @returns {Promise<T>}
 */
export function watched(promise, tell) {
  const timer = setTimeout(() => tell(new ApiError(0, "late", UNANSWERED)), LATE);
  return promise.finally(() => clearTimeout(timer));
}

/**
 * Ask the server until it answers, or refuses for good. `hear` receives what is wrong meanwhile.
 * @param {() => Promise<any>} ask @param {(found: [any, any]) => void} hear the answer, or else an error
 * @returns {() => void} ends it
 */
export function persist(ask, hear) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let wait = SOON;
  let late = LATE;
  let over = false;
  const end = () => {
    over = true;
    clearTimeout(timer);
    removeEventListener("online", again);
  };
  function again() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      hear([null, new ApiError(0, "late", UNANSWERED)]);
      again(); // a second request may be answered where the first one was lost
    }, late);
    late *= 2; // the server may be compiling
    ask().then(
      (value) => {
        if (over) return;
        end();
        hear([value, null]);
      },
      (error) => {
        if (over) return;
        clearTimeout(timer);
        if (passes(error)) timer = setTimeout(again, wait);
        else end();
        wait = Math.min(2 * wait, LATE);
        hear([null, told(error)]);
      },
    );
  }
  addEventListener("online", again);
  again();
  return end;
}

/**
 * Why no connection to a table can be opened, as a sentence: whether the server answers at all, and what it says about
 * a request like the one that opens a connection.
 * @returns {Promise<import("../text/message.js").Value>}
 */
export async function unconnected() {
  try {
    await post("/api/me", "", { signal: AbortSignal.timeout(WORTH) });
  } catch (problem) {
    const { status, code, told: why } = /** @type {ApiError} */ (problem);
    if (!status || status >= 500) return SILENT;
    if (code.startsWith("request/")) return why;
  }
  return NO_SOCKET;
}
