// The protocol without a browser, for measurements and the fuzz.

import { readFileSync } from "node:fs";

export class Client {
  #ids = 0;
  #waiting = new Map();
  onmessage = () => {};

  static connect(url) {
    const client = new Client();
    client.socket = new WebSocket(url.replace("http", "ws") + "ws");
    return new Promise((resolve, reject) => {
      client.socket.onerror = () => reject(new Error("no connection"));
      client.socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === "welcome") return resolve(client);
        const waiting = client.#waiting.get(message.id);
        if (waiting && !["info", "queued", "progress"].includes(message.type)) {
          client.#waiting.delete(message.id);
          waiting(message);
        }
        client.onmessage(message);
      };
    });
  }

  send(ask) {
    const id = ++this.#ids;
    this.socket.send(JSON.stringify({ id, ...ask }));
    return id;
  }

  ask(ask) {
    return new Promise((resolve) => this.#waiting.set(this.send(ask), resolve));
  }

  search(ask) {
    return this.ask(ask);
  }

  close() {
    this.socket.close();
  }
}

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Resident memory of a process. */
export function memory(pid) {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return `${(Number(text.match(/VmRSS:\s+(\d+)/)[1]) / 1024).toFixed(1)} MiB`;
}
