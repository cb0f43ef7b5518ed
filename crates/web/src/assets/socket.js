// The socket to the server. A request returns a promise; a search has a listener. Pending requests are sent again
// after a reconnection.

import { t } from "./lang.js";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
/** A request is sent again after a lost connection, but not for ever: it may be what ended the connection. */
const MOST_SENT = 2;

/** The token is in the URL fragment, and stays there for a reload. */
function token() {
  return new URLSearchParams(location.hash.slice(1)).get("token");
}

export class Socket extends EventTarget {
  #ids = 0;
  #wait = FIRST_WAIT;
  #waiting = new Map();
  #search = null;
  /** Requests that are answered again and again. */
  #following = new Map();
  /** How often each pending request was sent. */
  #sent = new Map();
  #socket = null;
  welcome = null;

  connect() {
    const query = token() ? `?token=${encodeURIComponent(token())}` : "";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws${query}`);
    this.#socket = socket;
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = () => this.#lost();
  }

  get isOpen() {
    return this.welcome !== null;
  }

  #lost() {
    this.welcome = null;
    this.dispatchEvent(new Event("state"));
    setTimeout(() => this.connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #receive(message) {
    if (message.type === "welcome") {
      this.welcome = message;
      this.#wait = FIRST_WAIT;
      for (const [id, waiting] of [...this.#waiting, ...this.#following]) this.#send(id, waiting.ask);
      if (this.#search) this.#send(this.#search.id, this.#search.ask);
      this.dispatchEvent(new Event("state"));
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#sent.delete(message.id);
    if (waiting) {
      this.#waiting.delete(message.id);
      if (message.type === "error") waiting.reject(new Error(message.message));
      else waiting.resolve(message);
    } else if (this.#following.has(message.id)) {
      this.#following.get(message.id).listen(message);
    } else if (this.#search && message.id === this.#search.id) {
      const search = this.#search;
      if (["best", "annotated", "error"].includes(message.type)) this.#search = null;
      search.listen(message);
    } else if (message.type === "error" && message.id === undefined) {
      console.warn(message.message);
    }
  }

  #send(id, ask) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const text = JSON.stringify({ id, ...ask });
    const most = this.welcome?.longest;
    const sent = (this.#sent.get(id) ?? 0) + 1;
    this.#sent.set(id, sent);
    if (most && text.length * 3 > most && new Blob([text]).size > most) {
      return this.#fail(id, t("too-long", { size: Math.round(most / 1024) }));
    }
    if (sent > MOST_SENT) return this.#fail(id, t("broken-twice"));
    this.#socket.send(text);
  }

  /** Ends a request with an error of this page. */
  #fail(id, message) {
    setTimeout(() => this.#receive({ type: "error", id, message }));
  }

  /** Sends a request; returns a promise of the answer, rejected with the server's error message. */
  ask(ask) {
    const id = ++this.#ids;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { ask, resolve, reject });
      if (this.isOpen) this.#send(id, ask);
    });
  }

  /** Sends a request that is answered whenever there is something new; returns a function that ends it. */
  follow(ask, end, listen) {
    const id = ++this.#ids;
    this.#following.set(id, { ask, listen });
    if (this.isOpen) this.#send(id, ask);
    return () => this.#following.delete(id) && this.isOpen && this.ask(end);
  }

  /** Begins a search, which replaces the current one; `listen` gets its messages. */
  search(ask, listen) {
    const id = ++this.#ids;
    this.#search = { id, ask, listen };
    if (this.isOpen) this.#send(id, ask);
  }

  /** Stops the search; its further messages are ignored. */
  drop() {
    if (!this.#search) return;
    this.#search = null;
    this.#send(++this.#ids, { type: "stop" });
    this.#sent.delete(this.#ids);
  }

  get isSearching() {
    return this.#search !== null;
  }
}
