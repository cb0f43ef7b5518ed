// The game on the board: the shown node, its legal moves, and saving.

import { announce, toast } from "./dom.js";
import { n, t } from "./lang.js";
import { Game, Node } from "./tree.js";
import { hold, keep, settings } from "./store.js";

const MOST_UNDONE = 50;

/** Modes: `play` against the engine, `analyse`, `task` (a mistake to correct, a puzzle), `setup`. */
export class Session extends EventTarget {
  game = new Game();
  mode = "play";
  #past = [];

  constructor(socket, board) {
    super();
    this.socket = socket;
    this.board = board;
    board.onmove = (move) => this.play(move);
    board.onrefused = (from, to) => this.#refused(from, to);
    board.onpartial = () => announce(t("choose-square"));
  }

  /** Replaces the game. */
  setGame(game, mode) {
    this.game = game;
    this.dispatchEvent(new Event("game"));
    hold(game.id).then((isFree) => !isFree && this.game === game && this.#split());
    this.setMode(mode ?? (game.play ? "play" : "analyse"));
    this.board.flip(game.flipped);
    this.goTo(game.at);
    this.save();
    this.changed();
  }

  /** The game is on the board of another tab too: each keeps its own. */
  #split() {
    this.game.split();
    hold(this.game.id);
    this.save();
    toast(t("other-tab"));
  }

  setMode(mode) {
    this.mode = mode;
    this.dispatchEvent(new Event("mode"));
  }

  save() {
    if (!keep(this.game)) toast(t("no-room"), "bad");
  }

  /** Keeps the game as it is, before a change that loses something. */
  remember(words) {
    const { game, mode } = this;
    this.#past.push({ words, mode, data: JSON.stringify(game.kept()) });
    if (this.#past.length > MOST_UNDONE) this.#past.shift();
  }

  /** What `undo` would take back: words, or nothing. */
  get undoable() {
    return this.#past[this.#past.length - 1]?.words;
  }

  undo() {
    const last = this.#past.pop();
    if (!last) return;
    this.setGame(new Game(JSON.parse(last.data)), last.mode === "play" ? "play" : "analyse");
    announce(t("undone", { what: last.words }));
  }

  /** The tree has changed. */
  changed() {
    this.dispatchEvent(new Event("tree"));
  }

  /** Position, status and legal moves of a node. */
  async place(node) {
    node.place ??= await this.socket.ask({
      type: "position",
      moves: node.moves,
      ...(this.game.start ? { start: this.game.start } : {}),
    });
    return node.place;
  }

  /** Shows a node at once; its legal moves follow when the server has answered. */
  async goTo(node) {
    const from = this.game.at;
    this.game.at = node;
    const last = node.way.length ? [node.way[0], node.way[node.way.length - 1]] : [];
    const back = from?.parent === node;
    const way = from === node.parent ? node.way : back ? from.way : [];
    this.board.animated = settings.animate && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.board.show(node.board, { way, back, last });
    this.board.arrows([]);
    this.dispatchEvent(new Event("shown"));
    await this.look(node);
  }

  /** Requests the rules' data of the shown node and notifies the listeners. */
  async look(node = this.game.at) {
    try {
      await this.place(node);
    } catch (error) {
      toast(error.message, "bad");
      return;
    }
    if (this.game.at !== node) return;
    if (!node.parent && node.board !== node.place.board) {
      node.board = node.place.board;
      this.board.show(node.board);
    }
    this.dispatchEvent(new Event("moved"));
  }

  /** Plays a legal move, given as an object or as text, from the shown node. */
  async play(move) {
    if (["review", "setup"].includes(this.mode)) return null;
    const parent = this.game.at;
    const text = typeof move === "string" ? move : move.move;
    const known = parent.child(text);
    if (known) return this.#arrive(known);
    const ask = { type: "position", moves: [...parent.moves, text] };
    if (this.game.start) ask.start = this.game.start;
    let place;
    try {
      place = await this.socket.ask(ask);
    } catch (error) {
      toast(capital(error.message), "bad");
      announce(error.message);
      return null;
    }
    if (this.game.at !== parent) return null;
    const { move: full, text: short, ways } = place.last;
    const same = parent.child(full);
    if (same) return this.#arrive(same);
    const node = new Node(parent, { move: full, text: short, way: ways[0], board: place.board });
    node.place = place;
    parent.children.push(node);
    this.game.at = parent;
    return this.#arrive(node);
  }

  async #arrive(node) {
    announce(t(node.sign > 0 ? "spoken.black" : "spoken.white", { move: spoken(node) }));
    this.dispatchEvent(new CustomEvent("played", { detail: node }));
    const shown = this.goTo(node);
    this.save();
    this.changed();
    await shown;
    return node;
  }

  /** Requests and shows the reason why a move is illegal. */
  async #refused(from, to) {
    const { place } = this.game.at;
    if (!place || place.status !== "playing") return;
    if (to === null) {
      const take = this.board.mustTake;
      return toast(t(take > 1 ? "refused.most" : take ? "refused.capture" : "refused.stuck"));
    }
    const ask = { type: "position", moves: [...this.game.at.moves, `${from}-${to}`] };
    if (this.game.start) ask.start = this.game.start;
    try {
      await this.socket.ask(ask);
    } catch (error) {
      toast(capital(error.message.split(";")[0]));
      announce(error.message);
    }
  }
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A move for a screen reader. */
export function spoken(node) {
  const [from, to] = [node.way[0], node.way[node.way.length - 1]];
  if (!node.move.includes("x")) return t("spoken.moves", { from, to });
  return n("spoken.takes", node.move.split("x").length - 2, { from, to });
}
