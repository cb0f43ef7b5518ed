// A game against the engine: whose turn it is, clocks, take back, hint, draw, resignation.

import { $, announce, toast, whitePoints } from "./dom.js";
import { n, reasonKey, reasonOf, t } from "./lang.js";
import { Game } from "./tree.js";
import { settings } from "./store.js";

/** The levels of the ladder. */
export const ELO = { min: 800, max: 2800, step: 50 };

/** Playing strength of the engine: names of levels, no limit but time, and a level chosen by its number. */
export const LEVELS = [
  { name: t("level.beginner"), elo: 800 },
  { name: t("level.casual"), elo: 1200 },
  { name: t("level.club"), elo: 1600 },
  { name: t("level.strong"), elo: 2000 },
  { name: t("level.expert"), elo: 2400 },
  { name: t("level.full") },
  { name: t("level.chosen"), isChosen: true },
];
/** Seconds of a move at full strength without a clock. */
const FULL_TIME = 8;

/** Time controls: minutes for each side and seconds for each move. */
export const CLOCKS = { none: null, "3+2": [3, 2], "5+3": [5, 3], "10+5": [10, 5], "20+10": [20, 10], own: "own" };

/** The side of two persons at one board. */
export const BOTH = "both";
const OTHER = { white: "black", black: "white" };
const OVER = { white: t("over.white"), black: t("over.black"), draw: t("over.draw") };
const RESULTS = { white: "2-0", black: "0-2", draw: "1-1" };
/** The engine accepts a draw from this ply on, if it expects at most these points. */
const DRAW_PLY = 60;
const DRAW_POINTS = 0.53;
const PAUSE = 350;

const turn = (node) => (node.sign > 0 ? "white" : "black");

/** The time on a clock, as text. */
function time(seconds) {
  const left = Math.max(seconds, 0);
  const whole = left < 10 ? left.toFixed(1) : String(Math.floor(left % 60)).padStart(2, "0");
  return left < 10 ? `0:0${whole}` : `${Math.floor(left / 60)}:${whole}`;
}

/** A side's pieces as text, with the difference to the other side where it has more. */
function material(board, side) {
  const count = (kind) => board.slice(1).split(kind).length - 1;
  const [own, other] = side === "white" ? ["w", "b"] : ["b", "w"];
  const [men, kings] = [count(own), count(own.toUpperCase())];
  const more = men + kings - count(other) - count(other.toUpperCase());
  const words = `${men}${kings ? ` + ${kings} ${t("men.king")}` : ""}${more > 0 ? ` (+${more})` : ""}`;
  return [words, t("men.title", { men, kings })];
}

/** Who is to move, and how many pieces must be captured. */
export const mustTake = (turn, count) => (count > 1 ? n("turn.must", count, { turn }) : t("turn.must", { turn }));

export class Play {
  #thinking = false;
  #hinting = false;
  #began = performance.now();
  #ticked = 0;

  constructor(session) {
    this.session = session;
    session.addEventListener("moved", () => this.#moved());
    session.addEventListener("shown", () => this.#drop());
    session.addEventListener("mode", () => this.#drop());
    session.addEventListener("played", (event) => this.#played(event.detail));
    $("takeback").onclick = () => this.takeBack();
    $("hint").onclick = () => this.hint();
    $("draw").onclick = () => this.offerDraw();
    $("resign").onclick = () => this.resign();
    setInterval(() => this.#tick(), 100);
    addEventListener("pagehide", () => this.#stopClock());
  }

  get state() {
    return this.session.game.play;
  }

  /** The last position of the played game, without moves tried in the analysis. */
  get leaf() {
    const main = this.session.game.main();
    return main[Math.min(this.state?.plies ?? main.length, main.length - 1)];
  }

  /** Begins a game. `board`: its first position, by default the start position. */
  begin({ side, level, elo, clock, start, board }) {
    const chosen = LEVELS[level] ?? LEVELS[1];
    const played = chosen.isChosen ? elo : chosen.elo;
    const computer = played ? `Damier (${t("level", { elo: played })})` : "Damier";
    const human = side === "random" ? (Math.random() < 0.5 ? "white" : "black") : side;
    const two = { white: t("white"), black: t("black") };
    const names = human === BOTH ? two : { [human]: t("you"), [OTHER[human]]: computer };
    const control = clock === "own" ? [settings.minutes, settings.seconds] : CLOCKS[clock];
    const base = control && control[0] * 60;
    const game = new Game({ start, board, flipped: human === "black" });
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
    game.tags = [["Event", t("event")], ["Site", "?"], ["Date", date.join(".")], ["Round", "-"]];
    game.tags.push(["White", names.white], ["Black", names.black]);
    if (control) game.tags.push(["TimeControl", `${base}+${control[1]}`]);
    game.play = { human, level, over: null, plies: 0, ...(played ? { elo: played } : {}) };
    if (control) game.play.clock = { increment: control[1], white: base, black: base };
    this.session.setGame(game, "play");
    announce(t(human === BOTH ? "begun" : human === "white" ? "begun.white" : "begun.black"));
  }

  /** Whether the shown node is the last of the game in progress. */
  get isLive() {
    const { game, mode } = this.session;
    return mode === "play" && this.state && !this.state.over && game.at === this.leaf;
  }

  #isHuman(node) {
    return [turn(node), BOTH].includes(this.state?.human);
  }

  #drop() {
    if (this.#thinking || this.#hinting) this.session.socket.drop();
    this.#thinking = this.#hinting = false;
    if (this.session.mode === "play") this.show();
  }

  #moved() {
    const { session } = this;
    const { at } = session.game;
    if (session.mode !== "play") return;
    const place = at.place;
    if (this.isLive && place.status !== "playing") {
      this.#over(place.status === "draw" ? "draw" : place.status.split("-")[0], place.reason_code);
    }
    const isHuman = this.#isHuman(at);
    session.board.allow(this.isLive && isHuman ? place.legal : []);
    this.#began = performance.now();
    if (this.isLive && !isHuman) this.#think(at);
    this.show();
  }

  #played(node) {
    if (this.session.mode !== "play" || !this.state) return;
    this.session.game.promote(node);
    this.state.plies = node.ply;
    const { clock } = this.state;
    if (!clock) return;
    if (node.ply > 1) this.#stopClock(node.parent);
    clock[turn(node.parent)] += clock.increment;
  }

  /** Subtracts the time since the last update of the clock. */
  #stopClock(node = this.session.game.at) {
    const clock = this.state?.clock;
    const now = performance.now();
    if (clock && this.isRunning) {
      clock[turn(node)] -= (now - this.#began) / 1000;
      this.session.save();
    }
    this.#began = now;
  }

  /** The clocks run from the first move on, whichever position is shown. */
  get isRunning() {
    return this.session.mode === "play" && this.state?.clock && !this.state.over && this.leaf.ply > 0;
  }

  #tick() {
    const { session } = this;
    if (!this.isRunning) return;
    const { leaf } = this;
    const clock = this.state.clock;
    const now = performance.now();
    clock[turn(leaf)] -= (now - this.#began) / 1000;
    this.#began = now;
    if (now - this.#ticked > 2000) {
      this.#ticked = now;
      session.save();
    }
    if (clock[turn(leaf)] <= 0) this.#over(OTHER[turn(leaf)], `${turn(leaf)}-time`);
    this.showPlayers();
  }

  #think(node) {
    const { session } = this;
    const { start } = session.game;
    const clock = this.state.clock;
    // Games kept by earlier versions have no level where it was one of those with a name.
    const elo = this.state.elo ?? LEVELS[this.state.level]?.elo;
    const limit = {};
    if (clock) limit.clock = { time: Math.max(clock[turn(node)] - 0.1, 0.01), increment: clock.increment };
    else if (!elo) limit.time = FULL_TIME;
    const ask = { type: "think", moves: node.moves, limit, book: true };
    if (start) ask.start = start;
    if (elo) ask.elo = elo;
    const began = performance.now();
    this.#thinking = true;
    session.socket.search(ask, (message) => {
      if (message.type === "queued") this.#queued(message.ahead);
      if (message.type === "error") toast(message.message, "bad");
      if (message.type !== "best") return;
      this.#thinking = false;
      if (message.lines[0]) node.points = whitePoints(message.lines[0], node.sign);
      const wait = session.board.animated ? PAUSE - (performance.now() - began) : 0;
      setTimeout(() => session.game.at === node && this.isLive && session.play(message.best), Math.max(wait, 0));
    });
  }

  #queued(ahead) {
    $("status").textContent = n("turn.queued", ahead + 1);
  }

  #over(winner, reason) {
    const { session } = this;
    if (this.#thinking) session.socket.drop();
    this.#thinking = false;
    this.state.over = { winner, reason };
    session.game.result = RESULTS[winner];
    session.board.allow([]);
    session.save();
    announce(t("over", { result: OVER[winner], reason: reasonOf(reason) }));
    this.show();
    session.dispatchEvent(new Event("over"));
  }

  takeBack() {
    const { session } = this;
    const { game } = session;
    if (!this.state) return;
    let node = this.leaf;
    if (!node.parent) return;
    do node = node.parent;
    while (node.parent && !this.#isHuman(node));
    if (!this.#isHuman(node)) return toast(t("no-takeback"));
    session.remember(t("takeback"));
    if (node.children[0]) game.remove(node.children[0]);
    // The clock of a side whose time is up would end the game again.
    if (this.state.over && reasonKey(this.state.over.reason).endsWith("-time")) delete this.state.clock;
    this.state.over = null;
    this.state.plies = node.ply;
    $("task").hidden = true;
    game.result = "*";
    game.at = node;
    session.goTo(node);
    session.save();
    session.changed();
    announce(t("taken-back"));
  }

  hint() {
    const { session } = this;
    const node = session.game.at;
    if (!this.isLive || this.#thinking || this.#hinting) return;
    const { start } = session.game;
    this.#hinting = true;
    $("hint").disabled = true;
    const ask = { type: "think", moves: node.moves, limit: { time: 0.7 }, ...(start ? { start } : {}) };
    session.socket.search(ask, (message) => {
      if (message.type !== "best") return;
      this.#hinting = false;
      this.show();
      const legal = node.place.legal.find((move) => move.move === message.best);
      if (!legal || session.game.at !== node) return;
      session.board.arrows([{ way: legal.ways[0], kind: "best" }]);
      $("status").textContent = t("would-play", { move: legal.text });
      announce($("status").textContent);
    });
  }

  offerDraw() {
    if (!this.state || this.state.over) return;
    if (this.state.human === BOTH) {
      if (this.#isSure("draw", t("draw.both"))) this.#over("draw", "agreed");
      return;
    }
    const { game } = this.session;
    const known = game.main().slice(0, this.leaf.ply + 1).filter((node) => node.points !== null).slice(-2);
    const own = (node) => (this.state.human === "white" ? 1 - node.points : node.points);
    const even = known.length > 0 && known.every((node) => own(node) <= DRAW_POINTS);
    const { ply } = this.leaf;
    if (ply >= DRAW_PLY && even) this.#over("draw", "agreed");
    else toast(t(ply < DRAW_PLY ? "draw.early" : "draw.refused"));
  }

  resign() {
    if (!this.state || this.state.over) return;
    if (!this.#isSure("resign", t("resign.sure"))) return;
    const side = this.state.human === BOTH ? turn(this.leaf) : this.state.human;
    this.#over(OTHER[side], `${side}-resigned`);
  }

  /** Asks on the button; true when it is pressed again within three seconds. */
  #isSure(id, question) {
    const button = $(id);
    const end = () => {
      button.classList.remove("sure");
      button.textContent = button.dataset.words;
    };
    if (button.classList.contains("sure")) {
      end();
      return true;
    }
    button.dataset.words = button.textContent;
    button.classList.add("sure");
    button.textContent = question;
    setTimeout(() => button.classList.contains("sure") && end(), 3000);
    return false;
  }

  /** Shows the status of the game and the possible actions. */
  show() {
    this.showPlayers();
    const { session } = this;
    if (session.mode !== "play") return;
    $("status").textContent = this.#status();
    const going = this.state && !this.state.over;
    $("takeback").disabled = !session.game.root.children.length;
    $("hint").disabled = this.state?.human === BOTH || !this.isLive || this.#thinking || this.#hinting;
    $("draw").disabled = $("resign").disabled = !going;
  }

  #status() {
    const { at } = this.session.game;
    if (!this.state) return t("begin");
    const { over, human } = this.state;
    if (over) {
      const own = {
        [`reason.${human}-resigned`]: t("reason.you-resigned"),
        [`reason.${human}-time`]: t("reason.you-time"),
      };
      const isPersonal = human !== BOTH && over.winner !== "draw";
      const result = isPersonal ? t(over.winner === human ? "over.won" : "over.lost") : OVER[over.winner];
      return t("over", { result, reason: own[reasonKey(over.reason)] ?? reasonOf(over.reason) });
    }
    if (!this.isLive) return t("turn.earlier");
    if (!this.#isHuman(at)) return t("turn.thinking");
    const who = t(human !== BOTH ? "turn.yours" : at.sign > 0 ? "turn.white" : "turn.black");
    if (this.session.board.mustTake) return mustTake(who, this.session.board.mustTake);
    return at.place?.repeated > 1 ? t("turn.second", { turn: who }) : who;
  }

  showPlayers() {
    const { game, mode, board } = this.session;
    const far = board.flipped ? "white" : "black";
    for (const [id, side] of [["far", far], ["near", OTHER[far]]]) {
      const strip = $(id);
      const name = game.tag(side === "white" ? "White" : "Black") || t(side === "white" ? "white" : "black");
      const clock = this.state?.clock;
      strip.querySelector(".who").textContent = name;
      const men = strip.querySelector(".men");
      [men.textContent, men.title] = material(game.at.board, side);
      strip.querySelector(".time").textContent = clock && mode === "play" ? time(clock[side]) : "";
      strip.classList.toggle("turn", turn(game.at) === side);
      strip.classList.toggle("low", Boolean(clock) && clock[side] < 20);
      strip.dataset.side = side;
    }
  }
}
