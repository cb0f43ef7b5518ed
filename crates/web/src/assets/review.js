// Finds the mistakes of a game, and asks for better moves. The server annotates; the tree of the game has the result: a
// mark on the move, the points lost in its comment, and the better line as a variation.

import { $, announce, el, toast } from "./dom.js";
import { n, t } from "./lang.js";
import { BOTH } from "./play.js";
import { spoken } from "./session.js";
import { findBookMoves, isKnown, showReport } from "./report.js";
import { Game } from "./tree.js";

const NODES = 60000;
/** Maximum number of positions whose legal moves are asked for. */
const MOST_ASKED = 300;
const WORDS = { 6: t("mark.6"), 2: t("mark.2"), 4: t("mark.4") };
const PAUSE = 1200;

const isBad = (nags = []) => nags.some((nag) => WORDS[nag]);

/** The better move: the variation with an evaluation, or the first one. */
function better(mistake) {
  const others = mistake.parent.children.filter((child) => child !== mistake && !isBad(child.nags));
  return others.find((child) => child.comment.includes("[%eval")) ?? others[0];
}

/** The mistakes of the game with a better line; only those of `side` if given. */
function mistakes(game, side) {
  const isOwn = (node) => !side || (node.parent.sign > 0) === (side === "white");
  return game.main().slice(1).filter((node) => isBad(node.nags) && isOwn(node) && better(node));
}

export const button = (text, onclick, kind = "") => el("button", { type: "button", class: kind, onclick }, text);

/** Shows a text and buttons beside the board. */
export function showTask(text, ...parts) {
  const box = $("task");
  const focused = document.activeElement;
  const isLost = box.contains(focused) || focused === document.body || !focused.checkVisibility();
  box.replaceChildren(el("p", {}, text), el("div", { class: "tools" }, ...parts));
  box.hidden = false;
  // If the pressed button is gone, the next Tab reaches the new ones.
  if (isLost) box.focus({ preventScroll: true });
  announce(text);
}

/** Whether a move from a node gets a mark, by an annotation. `shown`: the node that is shown meanwhile. */
export async function isWeak(session, parent, move, shown = parent) {
  const { fen } = await session.place(parent);
  const game = { start: fen, moves: [{ move }] };
  // Showing the position stops the current search; this one begins after that.
  await session.place(shown);
  return new Promise((resolve, reject) => {
    session.socket.search({ type: "annotate", game, nodes: NODES }, (message) => {
      if (message.type === "annotated") resolve(isBad(message.game.moves[0].nags));
      if (message.type === "error") reject(new Error(message.message));
    });
  });
}

export class Review {
  #mistakes = [];
  #at = 0;

  constructor(session) {
    this.session = session;
    $("review").onclick = () => this.start();
    $("learn").onclick = () => this.#learn();
    $("report").onclick = () => this.#report();
    session.addEventListener("valued", () => this.#offer());
    session.addEventListener("mode", () => session.mode === "play" && this.close());
    session.addEventListener("moved", () => this.#moved());
    session.addEventListener("played", (event) => this.#played(event.detail));
    session.addEventListener("tree", () => this.#offer());
    session.addEventListener("game", () => (this.#mistakes = []));
  }

  #offer() {
    const { game } = this.session;
    $("learn").hidden = !mistakes(game, this.#side).length;
    $("report").hidden = !isKnown(game);
  }

  /** Shows how well each side played. Moves without a choice or of the book do not count: they are asked for first. */
  async #report(words = t("review.both")) {
    const { session } = this;
    const { game } = session;
    const asked = game.main().slice(0, MOST_ASKED).map((node) => session.place(node));
    await Promise.all([...asked, findBookMoves(game, session.socket)]).catch(() => {});
    if (session.game !== game || session.mode !== "analyse") return;
    const learn = mistakes(game, this.#side).length
      ? [button(t("learn"), () => this.#learn(), "primary")] : [];
    showTask(words, ...learn, button(t("close"), () => this.close()));
    $("task").firstChild.after(...showReport(game));
  }

  /** The side to review: the player's, or both in an opened game. */
  get #side() {
    const human = this.session.game.play?.human;
    return human === BOTH ? undefined : human;
  }

  close() {
    $("task").hidden = true;
    this.#mistakes = [];
  }

  /** Requests the annotation of the main line. */
  start() {
    const { session } = this;
    const nodes = session.game.main();
    if (nodes.length < 2) return toast(t("review.none"));
    session.setMode("review");
    session.board.allow([]);
    const bar = el("progress", { max: nodes.length, value: 0, "aria-label": t("review.bar") });
    showTask(t("review.looking"), bar, button(t("cancel"), () => this.#leave()));
    session.socket.search({ type: "annotate", game: session.game.written(), nodes: NODES }, (message) => {
      const words = t(message.type === "queued" ? "review.queued" : "review.looking");
      if (["queued", "progress"].includes(message.type)) $("task").firstChild.textContent = words;
      if (message.type === "progress") bar.value = message.done;
      else if (message.type === "annotated") this.#end(message);
      else if (message.type === "error") {
        toast(message.message, "bad");
        this.#leave();
      }
    });
  }

  #end({ game, positions }) {
    const { session } = this;
    const old = session.game;
    const points = positions.map((worth, ply) => (old.main()[ply].sign > 0 ? worth.points : 1 - worth.points));
    game.moves.forEach((move, index) => (move.points = points[index + 1]));
    session.setGame(new Game({ ...old.kept(), ...game, points: points[0], opened: false }), "analyse");
    this.#mistakes = mistakes(session.game, this.#side);
    const count = this.#mistakes.length;
    this.#report(count ? n("review.found", count) : t("review.clean"));
  }

  #learn() {
    this.#mistakes = mistakes(this.session.game, this.#side);
    this.#show(0);
  }

  #show(index) {
    const { session } = this;
    const mistake = this.#mistakes[index];
    if (!mistake) {
      session.setMode("analyse");
      showTask(t("learn.last"), button(t("again"), () => this.#learn()), button(t("close"), () => this.close()));
      return session.look();
    }
    this.#at = index;
    session.setMode("task");
    const mark = WORDS[mistake.nags.find((nag) => WORDS[nag])];
    const key = this.#side ? "learn.you" : mistake.parent.sign > 0 ? "learn.white" : "learn.black";
    const words = t(key, { at: index + 1, all: this.#mistakes.length, move: mistake.text, mark });
    showTask(words, ...this.#ways(mistake));
    session.board.flip(mistake.parent.sign < 0);
    session.goTo(mistake.parent);
  }

  #ways(mistake) {
    return [
      button(t("learn.show"), () => this.#solution(mistake)),
      button(t("next"), () => this.#show(this.#at + 1)),
      button(t("close"), () => this.#leave()),
    ];
  }

  #leave() {
    const { session } = this;
    this.close();
    session.board.flip(session.game.flipped);
    session.setMode("analyse");
    session.goTo(session.game.at);
  }

  get #mistake() {
    return this.session.mode === "task" ? this.#mistakes[this.#at] : undefined;
  }

  #moved() {
    const { session } = this;
    const mistake = this.#mistake;
    if (!mistake) return;
    const isHere = session.game.at === mistake.parent;
    session.board.allow(isHere ? session.game.at.place.legal : []);
    if (isHere) session.board.arrows([{ way: mistake.way, kind: "bad" }]);
    $("status").textContent = isHere ? t("learn.find") : "";
  }

  #played(node) {
    const { session } = this;
    const mistake = this.#mistake;
    if (!mistake || node.parent !== mistake.parent) return;
    // There is nothing to find until the position before the move is shown again.
    $("status").textContent = "";
    if (node === mistake) return this.#wrong(node, t("learn.played"));
    if (node === better(mistake)) return this.#right(t("learn.best"));
    showTask(t("learn.judging"));
    isWeak(session, node.parent, node.move, node).then((bad) => {
      if (this.#mistake !== mistake || session.game.at !== node) return;
      if (bad) this.#wrong(node, t("learn.not-yet"));
      else this.#right(t("learn.holds", { move: better(mistake).text }));
    }, (error) => showTask(error.message, button(t("close"), () => this.#leave())));
  }

  #right(words) {
    const next = button(t("next"), () => this.#show(this.#at + 1), "primary");
    showTask(words, next, button(t("close"), () => this.#leave()));
  }

  /** Takes the move back after a while and removes it from the game. */
  #wrong(node, words) {
    const { session } = this;
    const mistake = this.#mistake;
    showTask(words, ...this.#ways(mistake));
    setTimeout(() => {
      const isTried = node !== mistake && !node.children.length && !node.comment && !node.nags.length;
      if (session.game.at === node && this.#mistake === mistake) session.goTo(node.parent);
      if (isTried && session.game.at !== node && node.parent.children.includes(node)) {
        session.game.remove(node);
        session.save();
        session.changed();
      }
    }, PAUSE);
  }

  async #solution(mistake) {
    const { session } = this;
    const node = better(mistake);
    session.setMode("analyse");
    const line = [];
    for (let at = node; at && line.length < 8; at = at.children[0]) line.push(at.text);
    const next = button(t("next"), () => this.#show(this.#at + 1), "primary");
    showTask(t("learn.better", { move: line.join(" ") }), next, button(t("close"), () => this.#leave()));
    announce(t("learn.better", { move: spoken(node) }));
    await session.goTo(node.parent);
    await session.goTo(node);
  }
}
