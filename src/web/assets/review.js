// Finding the mistakes of a game, and learning from them.

import { $, announce, el, toast } from "./dom.js";
import { spoken } from "./session.js";

const NODES = 60000;
/** Points that a move may lose and still pass as a solution. */
const ENOUGH = 0.05;
const OWN_MARKS = [2, 4, 6];
const WORDS = { 6: "an inaccuracy", 2: "a mistake", 4: "a blunder" };

export class Review {
  #mistakes = [];
  #at = 0;

  constructor(session) {
    this.session = session;
    $("review").onclick = () => this.start();
    session.addEventListener("mode", () => session.mode === "play" && this.close());
    session.addEventListener("moved", () => this.#moved());
    session.addEventListener("played", (event) => this.#played(event.detail));
  }

  close() {
    $("task").hidden = true;
    this.#mistakes = [];
  }

  /** Has the engine look at every position of the main line. */
  start() {
    const { session } = this;
    const nodes = session.game.main();
    if (nodes.length < 2) return toast("There is no game to look at yet: play one, or open one");
    session.setMode("review");
    const bar = el("progress", { max: nodes.length, value: 0, "aria-label": "Positions looked at" });
    const stop = el("button", { type: "button", onclick: () => this.#end(nodes) }, "Enough");
    this.#task("Looking for mistakes…", bar, stop);
    const { start } = session.game;
    const ask = { type: "review", moves: nodes[nodes.length - 1].moves, nodes: NODES, ...(start ? { start } : {}) };
    session.socket.search(ask, (message) => {
      if (message.type === "evaluated") {
        bar.value = message.ply + 1;
        this.#value(nodes[message.ply], message);
      } else if (message.type === "reviewed") this.#end(nodes);
      else if (message.type === "error") {
        toast(message.message, "bad");
        this.#end(nodes);
      }
    });
  }

  #value(node, message) {
    node.points = node.sign > 0 ? message.points : 1 - message.points;
    node.review = { best: message.pv[0] ?? null, pv: message.pv, text: message.text, loss: 0 };
    if (node.parent) {
      const kept = node.nags.filter((nag) => !OWN_MARKS.includes(nag));
      node.nags = message.nag ? [...kept, message.nag] : kept;
      node.review.loss = message.loss ?? 0;
    }
    this.session.dispatchEvent(new Event("valued"));
  }

  #end(nodes) {
    const { session } = this;
    session.socket.drop();
    const human = session.game.play?.human;
    const isOwn = (node) => !human || (node.parent.sign > 0) === (human === "white");
    const marked = nodes.filter((node) => node.parent && node.nags.some((nag) => OWN_MARKS.includes(nag)));
    this.#mistakes = marked.filter((node) => isOwn(node) && node.parent.review?.best);
    session.setMode("analyse");
    session.save();
    session.changed();
    const count = this.#mistakes.length;
    const whose = human ? "you made" : "there are";
    const words = count ? `${count} move${count > 1 ? "s" : ""} could be better` : `No mistake found that ${whose}`;
    announce(words);
    if (!count) return this.#task(`${words}. Well played!`, this.#button("Close", () => this.close()));
    const learn = this.#button("Learn from the mistakes", () => this.#show(0), "primary");
    this.#task(`${words}.`, learn, this.#button("Close", () => this.close()));
  }

  #button(text, onclick, kind = "") {
    return el("button", { type: "button", class: kind, onclick }, text);
  }

  #task(text, ...parts) {
    const box = $("task");
    box.replaceChildren(el("p", {}, text), el("div", { class: "tools" }, ...parts));
    box.hidden = false;
    announce(text);
  }

  #show(index) {
    const { session } = this;
    const mistake = this.#mistakes[index];
    if (!mistake) {
      session.setMode("analyse");
      this.#task("That were all of them.", this.#button("Close", () => this.close()));
      return session.look();
    }
    this.#at = index;
    session.setMode("task");
    const word = WORDS[mistake.nags.find((nag) => WORDS[nag])];
    const side = mistake.parent.sign > 0 ? "White" : "Black";
    const place = `${index + 1} of ${this.#mistakes.length}`;
    const head = `${place}: ${side} played ${mistake.text}, ${word}. Find a better move.`;
    this.#task(
      head,
      this.#button("Show it", () => this.#solution(mistake)),
      this.#button("Next", () => this.#show(index + 1)),
      this.#button("Close", () => this.#leave()),
    );
    session.goTo(mistake.parent);
  }

  #leave() {
    this.close();
    this.session.setMode("analyse");
    this.session.look();
  }

  #moved() {
    const { session } = this;
    const mistake = this.#mistakes[this.#at];
    if (session.mode !== "task" || !mistake) return;
    const isHere = session.game.at === mistake.parent;
    session.board.allow(isHere ? session.game.at.place.legal : []);
    $("status").textContent = isHere ? "Find a better move" : "";
  }

  #played(node) {
    const { session } = this;
    const mistake = this.#mistakes[this.#at];
    if (session.mode !== "task" || node.parent !== mistake?.parent) return;
    if (node === mistake) return this.#wrong(node, "That is what was played.");
    if (node.move === mistake.parent.review.best) return this.#right("That is the best move!");
    this.#task("Looking at your move…");
    const { start } = session.game;
    const limit = { nodes: NODES };
    const ask = { type: "think", moves: node.moves, limit, ...(start ? { start } : {}) };
    setTimeout(() => session.socket.search(ask, (message) => {
      if (message.type !== "best") return;
      const points = message.lines[0] ? 1 - message.lines[0].points : 1;
      const before = mistake.parent.sign > 0 ? mistake.parent.points : 1 - mistake.parent.points;
      if (points >= before - ENOUGH) this.#right("Good: that is as good as the best move.");
      else this.#wrong(node, "There is a better move.");
    }), 0);
  }

  #right(words) {
    const next = this.#button("Next", () => this.#show(this.#at + 1), "primary");
    this.#task(words, next, this.#button("Close", () => this.#leave()));
  }

  #wrong(node, words) {
    const { session } = this;
    const mistake = this.#mistakes[this.#at];
    this.#task(
      `${words} Try again.`,
      this.#button("Show it", () => this.#solution(mistake)),
      this.#button("Next", () => this.#show(this.#at + 1)),
      this.#button("Close", () => this.#leave()),
    );
    setTimeout(() => session.game.at === node && session.mode === "task" && session.goTo(node.parent), 900);
  }

  async #solution(mistake) {
    const { session } = this;
    const { review } = mistake.parent;
    session.setMode("analyse");
    await session.goTo(mistake.parent);
    const node = await session.play(review.best);
    const line = review.text.slice(0, 8).join(" ");
    const next = this.#button("Next", () => this.#show(this.#at + 1), "primary");
    this.#task(`Better was ${line}.`, next, this.#button("Close", () => this.#leave()));
    if (node) announce(`Better was ${spoken(node)}`);
  }
}
