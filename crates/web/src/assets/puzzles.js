// Puzzles: the built-in set or those of a file. Moves are tried on the board, replies are played, what was missed comes
// again. The rules of rating and repetition are those of crates/analysis/src/puzzle/progress.rs.

import { $, announce, el, toast } from "./dom.js";
import { moment, n, t } from "./lang.js";
import { choices, dialog } from "./dialogs.js";
import { button, isWeak, showTask } from "./review.js";
import { keepProgress, progress } from "./store.js";
import { Game } from "./tree.js";

const SET = "puzzles.pdn";
/** Between a puzzle's move and the reply to it, and before a wrong move is taken back. */
const PAUSE = 700;
const GRADES = 4;
/** Rating of grade 1, what each further grade adds, and the most points that a puzzle changes a rating by. */
const [EASIEST, STEP, FACTOR] = [1100, 300, 32];
const SCORES = { solved: 1, helped: 0.5, missed: 0 };
const DAY = 86400;
/** Seconds after which a puzzle comes again that was missed, and then each time that it was solved. */
const INTERVALS = [600, DAY, 3 * DAY, 7 * DAY, 21 * DAY];

const now = () => Math.floor(Date.now() / 1000);

/** A game of PDN as a puzzle; null if it has no position or no moves. */
export function puzzleOf({ text, plies, error }) {
  const tag = (name) => text.match(new RegExp(`^\\s*\\[${name}\\s+"([^"]*)"`, "m"))?.[1];
  const fen = tag("FEN");
  if (!fen || !plies || error) return null;
  const grade = Math.min(Math.max(Number(tag("Grade")) || Math.ceil(plies / 2) - 1, 1), GRADES);
  return { text, fen, grade, motifs: tag("Motif")?.match(/[^\s,][^,]*/g) ?? [] };
}

/** Notes how a puzzle ended: `solved`, `helped` by a hint, or `missed`. The first time counts in the rating. */
function note(puzzle, outcome) {
  const all = progress();
  const before = all.seen[puzzle.fen]?.box;
  if (before === undefined) {
    const expected = 1 / (1 + 10 ** ((EASIEST + STEP * (puzzle.grade - 1) - all.rating) / 400));
    all.rating += FACTOR * (SCORES[outcome] - expected);
    all.count += 1;
  }
  const isSolved = outcome === "solved";
  all.streak = isSolved ? all.streak + 1 : 0;
  all.best_streak = Math.max(all.best_streak, all.streak);
  // One that another tab had meanwhile stays where that put it.
  const isEarly = before && due(all, puzzle) > now();
  const box = !isSolved ? 1 : before && before < INTERVALS.length ? before + 1 : 0;
  if (!isSolved || !isEarly) all.seen[puzzle.fen] = { box, due: now() + (INTERVALS[box - 1] ?? 0) };
  if (!keepProgress(all)) toast(t("puzzle.no-room"), "bad");
}

/** When a puzzle comes again: at once where the clock was set back since, and its box has no such wait. */
function due(all, { fen }) {
  const { box, due: then } = all.seen[fen] ?? {};
  if (!box) return Infinity;
  return then > now() + INTERVALS[box - 1] ? now() : then;
}

export class Puzzles {
  /** The built-in set, once it is loaded, and the set in use. */
  #builtIn = null;
  #set = [];
  #choice = { grade: "", motif: "" };
  /** Puzzles that were passed over or left out. */
  #passed = new Set();
  /** The puzzle on the board: its answer, how far one is, and the node where a move is asked for. */
  #now = null;
  /** The game on the board before. */
  #before = null;

  constructor(session) {
    this.session = session;
    this.box = dialog("puzzles-dialog", t("puzzles"), el("form", { method: "dialog" }));
    $("puzzles").onclick = $("puzzles-more").onclick = () => this.open();
    $("list-puzzles").onclick = () => {
      $("list").close();
      this.#choose(this.list);
    };
    session.addEventListener("mode", () => this.#now && session.mode !== "task" && this.#left());
    session.addEventListener("moved", () => this.#moved());
    session.addEventListener("played", ({ detail }) => this.#played(detail));
  }

  /** Offers the puzzles among the games of a list, if there are some. */
  offer(games) {
    this.list = games.map(puzzleOf).filter(Boolean);
    $("list-puzzles").hidden = !this.list.length;
  }

  /** Opens the built-in set, which is loaded the first time. */
  async open() {
    try {
      this.#builtIn ??= await this.#load();
    } catch (error) {
      return toast(t("puzzle.failed", { error: error.message }), "bad");
    }
    this.#choose(this.#builtIn);
  }

  async #load() {
    const answer = await fetch(SET);
    if (!answer.ok) throw new Error((await answer.text()) || answer.statusText);
    const games = (await answer.text()).split(/\n\n(?=\[)/);
    return games.map((text) => puzzleOf({ text, plies: 1 })).filter(Boolean);
  }

  /** The dialog in which grade and motif are chosen. */
  #choose(set) {
    if (set !== this.#set) this.#choice = { grade: "", motif: "" };
    this.#set = set;
    this.#passed.clear();
    const count = el("p", { class: "about", role: "status" });
    const start = el("button", { type: "submit", class: "primary" }, t("puzzle.start"));
    const show = () => {
      const all = progress();
      const wanted = this.#wanted();
      const again = wanted.filter((puzzle) => due(all, puzzle) <= now()).length;
      const words = [n("puzzle.count", wanted.length), again && n("puzzle.again", again)];
      count.textContent = words.filter(Boolean).join(", ");
      start.disabled = !wanted.length;
    };
    const choose = (name) => (value) => {
      this.#choice[name] = value;
      show();
    };
    const grades = [["", t("puzzle.all")], ...[1, 2, 3, 4].map((grade) => [String(grade), String(grade)])];
    const names = [...new Set(set.flatMap((puzzle) => puzzle.motifs))].sort();
    const motif = el("select", { id: "puzzle-motif" }, el("option", { value: "" }, t("puzzle.all")),
      ...names.map((name) => el("option", { value: name, selected: name === this.#choice.motif }, name)));
    motif.onchange = () => choose("motif")(motif.value);
    const form = el("form", { method: "dialog" },
      el("p", {}, this.#stand()),
      choices("grade", t("puzzle.grade"), grades, this.#choice.grade, choose("grade")),
      names.length ? el("label", { class: "check", for: "puzzle-motif" }, t("puzzle.motif"), motif) : "",
      count,
      el("div", { class: "tools" }, start));
    form.onsubmit = () => this.#begin();
    show();
    this.box.lastChild.replaceWith(form);
    this.box.showModal();
  }

  /** The puzzles of the chosen grade and motif. */
  #wanted() {
    const { grade, motif } = this.#choice;
    return this.#set.filter((puzzle) =>
      (!grade || puzzle.grade === Number(grade)) && (!motif || puzzle.motifs.includes(motif)));
  }

  #stand() {
    const { rating, streak, best_streak: best } = progress();
    return t("puzzle.stand", { rating: Math.round(rating), streak, best });
  }

  #begin() {
    if (!this.#now) this.#before = this.session.game;
    this.#next();
  }

  /** Shows the one that has been due longest, or else a new one. */
  async #next() {
    const all = progress();
    const wanted = this.#wanted().filter((puzzle) => !this.#passed.has(puzzle));
    const again = wanted.filter((puzzle) => due(all, puzzle) <= now()).sort((a, b) => due(all, a) - due(all, b));
    const fresh = wanted.filter((puzzle) => !all.seen[puzzle.fen]);
    const puzzle = again[0] ?? fresh[Math.floor(Math.random() * fresh.length)];
    if (puzzle) return this.#show(puzzle);
    const first = Math.min(...wanted.map((other) => due(all, other)));
    const words = first < Infinity ? t("puzzle.end-until", { moment: moment(first * 1000) }) : t("puzzle.end");
    this.#now ??= {};
    this.#now.node = null;
    showTask(words, button(t("puzzle.others"), () => this.#choose(this.#set), "primary"),
      button(t("close"), () => this.#close()));
  }

  async #show(puzzle) {
    const { session } = this;
    const { socket } = session;
    try {
      const { game } = await socket.ask({ type: "read_game", text: puzzle.text });
      const place = await socket.ask({ type: "position", start: game.start, moves: [] });
      const shown = new Game({ start: game.start, board: place.board, flipped: place.board[0] === "B" });
      shown.isPuzzle = true;
      this.#now = { puzzle, answer: game.moves, at: 0, outcome: "solved", node: shown.root };
      session.setGame(shown, "task");
    } catch (error) {
      this.#passed.add(puzzle);
      toast(error.message, "bad");
      return this.#next();
    }
    const current = this.#now;
    const { root } = session.game;
    const words = t(root.sign > 0 ? "puzzle.white" : "puzzle.black", { grade: puzzle.grade });
    this.#ask(words);
    // Those of the built-in set were checked when it was made.
    if (this.#set === this.#builtIn) return;
    const first = current.answer[0];
    const isBad = await isWeak(session, root, first.move).catch(() => false);
    if (isBad && this.#now === current && current.node === root) {
      this.#passed.add(puzzle);
      toast(t("puzzle.bad", { move: first.text }), "bad");
      this.#next();
    }
  }

  /** What is asked, with the ways on. */
  #ask(words) {
    showTask(words,
      button(t("hint"), () => this.#hint()),
      button(t("learn.show"), () => this.#end(t("puzzle.answer", { move: this.#rest() }), "missed")),
      button(t("next"), () => this.#pass()),
      button(t("close"), () => this.#close()));
  }

  /** The rest of the answer as text. */
  #rest() {
    const { answer, at } = this.#now;
    return answer.slice(at).map((move) => move.text).join(" ");
  }

  #hint() {
    if (this.#now.outcome === "solved") this.#now.outcome = "helped";
    this.#ask(t("puzzle.piece", { square: this.#now.answer[this.#now.at].way[0] }));
  }

  #pass() {
    this.#passed.add(this.#now.puzzle);
    if (this.#now.outcome !== "solved") this.#note("missed");
    this.#next();
  }

  /** Notes how the puzzle ended, once. */
  #note(outcome) {
    if (!this.#now.isNoted) note(this.#now.puzzle, outcome);
    this.#now.isNoted = true;
  }

  #moved() {
    const { session } = this;
    if (!this.#now || session.mode !== "task") return;
    const { node } = this.#now;
    const isHere = session.game.at === node;
    session.board.allow(isHere ? node.place.legal : []);
    $("status").textContent = isHere ? t(node.sign > 0 ? "turn.white" : "turn.black") : "";
  }

  #played(node) {
    const current = this.#now;
    if (!current || !current.node || node.parent !== current.node) return;
    const { session } = this;
    const { answer, at } = current;
    if (node.move === answer[at].move) {
      if (at + 2 >= answer.length) return this.#end(t("puzzle.solved"), current.outcome);
      this.#ask(t("puzzle.right"));
      current.node = null;
      return this.#reply(node, answer[at + 1]);
    }
    showTask(t("learn.judging"));
    isWeak(session, node.parent, node.move, node).then((isBad) => {
      if (this.#now !== current || session.game.at !== node) return;
      if (!isBad) return this.#end(t("puzzle.as-good", { move: this.#rest() }), current.outcome);
      current.outcome = "missed";
      this.#note("missed");
      this.#ask(t("learn.not-yet"));
      setTimeout(() => {
        if (this.#now !== current) return;
        session.game.remove(node);
        session.goTo(current.node);
        session.changed();
      }, PAUSE);
    }, (error) => this.#now === current && this.#ask(error.message));
  }

  /** Plays the reply of the other side. */
  #reply(node, move) {
    const { session } = this;
    const current = this.#now;
    setTimeout(async () => {
      if (this.#now !== current || current.isOver || session.game.at !== node) return;
      current.at += 2;
      const arrived = session.play(move.move);
      current.node = await arrived;
      this.#moved();
    }, session.board.animated ? PAUSE : 0);
  }

  #end(words, outcome) {
    const { puzzle, answer, at } = this.#now;
    this.#note(outcome);
    const { board } = this.session;
    if (this.session.game.at === this.#now.node) board.arrows([{ way: answer[at].way, kind: "best" }]);
    Object.assign(this.#now, { node: null, isOver: true });
    board.allow([]);
    $("status").textContent = "";
    const names = puzzle.motifs.join(", ");
    showTask([words, names, this.#stand()].filter(Boolean).join(" · "),
      button(t("next"), () => this.#next(), "primary"),
      button(t("tab.analyse"), () => this.#analyse()),
      button(t("close"), () => this.#close()));
    announce(words);
  }

  /** The position of the puzzle becomes a game like others. */
  #analyse() {
    const { session } = this;
    session.game.isPuzzle = false;
    session.setMode("analyse");
    session.goTo(session.game.at);
  }

  /** Another mode was chosen. */
  #left() {
    // One that was begun with a hint counts, as in the terminal.
    if (this.#now?.outcome === "helped") this.#note("helped");
    this.#now = null;
    $("task").hidden = true;
  }

  #close() {
    const before = this.#before;
    this.#left();
    this.session.setGame(before);
  }
}
