// The analysis panel: lines, arrows, gauge; endgame tables and book.

import { smallBoard } from "./board.js";
import { $, announce, el, score, toast, whitePoints } from "./dom.js";
import { decimal, n, reasonOf, t } from "./lang.js";
import { mustTake } from "./play.js";
import { saveSettings, settings } from "./store.js";

const SHOWN = 14;
/** Seconds of the search for a threat. */
const THREAT_TIME = 0.5;
/** Expected points that a move may lose and still hold the result, as on the server. */
const SAFE_MARGIN = 0.05;
/** Nodes from which on an analysis replaces an evaluation that the game has. */
const ENOUGH = 300_000;
const STATUS = { "white-wins": t("over.white"), "black-wins": t("over.black"), draw: t("over.draw") };

export class Analysis {
  #found = null;
  #drawn = false;
  /** Whether a button of the lines is pressed: they are not replaced before the click. */
  #isHeld = false;
  /** First moves of the lines that are shown in full. */
  #open = new Set();
  #previewed = "";
  #threat = null;
  isOn = true;

  constructor(session) {
    this.session = session;
    session.addEventListener("moved", () => this.restart());
    session.addEventListener("shown", () => this.#clear());
    session.addEventListener("mode", () => this.#mode());
    $("engine-on").onclick = () => this.toggle();
    $("lines").addEventListener("keydown", walk);
    $("lines").addEventListener("pointerdown", () => (this.#isHeld = true));
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(() => (this.#isHeld = false)));
    for (const begin of ["pointerover", "focusin"]) $("lines").addEventListener(begin, (event) => this.#preview(event));
    for (const end of ["pointerleave", "focusout"]) $("lines").addEventListener(end, () => this.#noPreview());
    // On a short screen one of lines, knowledge and curve is shown.
    $("view").onchange = () => ($("look").dataset.view = $("view").value);
    $("engine-lines").onchange = (event) => {
      settings.lines = Number(event.target.value);
      saveSettings();
      this.restart();
    };
  }

  toggle() {
    this.isOn = !this.isOn;
    this.restart();
  }

  /** Changes the mode: stops the search and clears its output. */
  #mode() {
    this.session.socket.drop();
    this.session.board.arrows([]);
    this.restart();
  }

  #clear() {
    this.#threat = null;
    this.#noPreview();
    if (this.session.mode !== "analyse") return;
    this.session.socket.drop();
    this.#found = null;
    $("lines").classList.add("old");
    $("chances").textContent = "";
    $("knowledge").classList.add("old");
  }

  restart() {
    const { session } = this;
    const { at, start } = session.game;
    const isHere = session.mode === "analyse";
    $("engine-on").setAttribute("aria-checked", String(this.isOn));
    $("engine-lines").value = String(settings.lines);
    if (!isHere) {
      $("gauge").hidden = true;
      return;
    }
    $("gauge").hidden = !settings.gauge;
    session.socket.drop();
    if (!at.place) return;
    session.board.allow(at.place.legal);
    this.#status();
    this.gauge(at.points);
    if (!at.place.legal.length) {
      this.#empty();
      $("knowledge").replaceChildren();
      at.points = at.place.status === "white-wins" ? 1 : 0;
      this.gauge(at.points);
      return;
    }
    const line = { moves: at.moves, ...(start ? { start } : {}) };
    this.#know(at, line);
    // The machine is the match's while one watches.
    if (!this.isOn || $("match-dialog").open) {
      this.#found = null;
      this.#empty();
      $("engine-info").textContent = t("engine.off");
      return;
    }
    $("engine-info").textContent = "…";
    // Reserves space for all lines, so that nothing below moves when they arrive.
    $("chances").hidden = false;
    $("lines").style.setProperty("--count", String(settings.lines));
    session.socket.search({ type: "analyse", lines: settings.lines, ...line }, (message) => this.#receive(at, message));
  }

  /** Removes the lines and their space. */
  #empty() {
    $("lines").replaceChildren();
    $("lines").style.setProperty("--count", "0");
    $("chances").hidden = true;
  }

  #status() {
    const { place, sign } = this.session.game.at;
    const take = this.session.board.mustTake;
    const turn = t(sign > 0 ? "turn.white" : "turn.black");
    let words = take ? mustTake(turn, take) : turn;
    if (place.status !== "playing") {
      words = t("over", { result: STATUS[place.status], reason: reasonOf(place.reason_code) });
    }
    else if (place.plies_left !== undefined) words = n("left", Math.ceil(place.plies_left / 2), { turn: words });
    $("status").textContent = words;
  }

  #receive(node, message) {
    if (message.type === "queued") $("engine-info").textContent = t("engine.queued", { count: message.ahead + 1 });
    if (message.type === "error") $("engine-info").textContent = message.message;
    if (!["info", "best"].includes(message.type) || this.session.game.at !== node) return;
    this.#found = { node, message };
    if (this.#drawn) return;
    this.#drawn = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#drawn = false;
    if (this.session.mode !== "analyse" || this.session.game.at !== this.#found?.node) return;
    const { node, message } = this.#found;
    const [best] = message.lines;
    if (!best) return;
    const points = whitePoints(best, node.sign);
    // A glance does not replace the evaluation of an annotated game.
    if (node.points === null || message.nodes >= ENOUGH) node.points = points;
    this.gauge(points);
    const speed = message.time > 0.05 ? ` · ${decimal(message.nodes / message.time / 1e6, 1)} M/s` : "";
    $("engine-info").textContent = t("engine.depth", { depth: message.depth }) + speed;
    this.#chances(node, message);
    const focused = document.activeElement?.closest("#lines") !== null && document.activeElement !== document.body;
    if (!focused && !this.#isHeld) {
      $("lines").classList.remove("old");
      $("lines").replaceChildren(...message.lines.map((line) => this.#line(node, line, best)));
    }
    if (settings.arrows) this.#arrows(node, message.lines);
    this.session.dispatchEvent(new Event("valued"));
  }

  #line(node, line, best) {
    const holds = best.points - line.points <= SAFE_MARGIN;
    const value = score(line, node.sign);
    const isOpen = this.#open.has(line.pv[0]);
    const open = () => {
      if (!this.#open.delete(line.pv[0])) this.#open.add(line.pv[0]);
      const now = this.#open.has(line.pv[0]);
      item.classList.toggle("open", now);
      badge.setAttribute("aria-expanded", String(now));
    };
    const side = whitePoints(line, node.sign) >= 0.5 ? "white" : "black";
    const props = { type: "button", class: `badge ${side}`, title: t("line.whole"), "aria-expanded": String(isOpen), onclick: open };
    const badge = el("button", props, value);
    const moves = line.text.map((text, index) => {
      const onclick = () => this.#follow(node, line.pv.slice(0, index + 1));
      const props = { type: "button", class: "move", tabindex: index ? -1 : 0, onclick, "data-line": line.pv.slice(0, index + 1).join(" ") };
      const loses = { class: "move bad", title: t("line.loses") };
      return el("button", index || holds ? props : { ...props, ...loses }, text);
    });
    const item = el("li", { class: isOpen && "open" }, badge, bar(line, node.sign), el("span", { class: "pv" }, ...moves));
    return item;
  }

  /** Shows the position after the move under the pointer, or the one with the focus, on a small board. */
  async #preview(event) {
    const button = event.target.closest("[data-line]");
    if (!button || event.pointerType === "touch") return this.#noPreview();
    const { game } = this.session;
    const { line } = button.dataset;
    if (line === this.#previewed) return;
    this.#previewed = line;
    const start = game.start ? { start: game.start } : {};
    const ask = { type: "position", moves: [...game.at.moves, ...line.split(" ")], ...start };
    const place = await this.session.socket.ask(ask).catch(() => null);
    if (!place || this.#previewed !== line) return;
    const way = place.last.ways[0];
    const box = $("preview");
    box.replaceChildren(smallBoard(place.board, [way[0], way[way.length - 1]], this.session.board.flipped));
    box.hidden = false;
    const list = $("lines").getBoundingClientRect();
    const below = list.bottom + 8 + box.offsetHeight < innerHeight;
    box.style.left = `${Math.min(list.left, innerWidth - box.offsetWidth - 8)}px`;
    box.style.top = `${below ? list.bottom + 8 : Math.max(list.top - box.offsetHeight - 8, 8)}px`;
  }

  #noPreview() {
    this.#previewed = "";
    $("preview").hidden = true;
  }

  /** Shows the move that the other side would play if it were to move; again: hides it. */
  async threat() {
    const { session } = this;
    const { at: node } = session.game;
    if (this.#threat) {
      this.#threat = null;
      return this.restart();
    }
    const start = (node.sign > 0 ? "B" : "W") + node.board.slice(1);
    const place = await session.socket.ask({ type: "position", start, moves: [] }).catch(() => null);
    if (session.game.at !== node || session.mode !== "analyse") return;
    if (!place?.legal.length) return toast(t("no-threat"));
    session.socket.search({ type: "think", start, moves: [], limit: { time: THREAT_TIME } }, (message) => {
      if (message.type !== "best" || session.game.at !== node) return;
      const legal = place.legal.find((move) => move.move === message.best);
      if (!legal) return;
      this.#threat = { way: legal.ways[0], kind: "bad" };
      session.board.arrows([this.#threat]);
      const words = t(node.sign > 0 ? "threat.black" : "threat.white", { move: legal.text });
      this.restart();
      $("status").textContent = words;
      announce(words);
    });
  }

  /** The evaluation of the best line, and the number of moves that hold it. */
  #chances(node, message) {
    const { legal } = node.place;
    const [best] = message.lines;
    const count = node.safe ?? message.safe;
    const safe = count && n("holds", count, { all: legal.length });
    const only = legal.length === 1 ? t("only-move") : safe;
    $("chances").textContent = [chances(best, node.sign), only].filter(Boolean).join(" · ");
  }

  /** Plays a line up to the move that was clicked. */
  async #follow(node, moves) {
    if (this.session.game.at !== node) return;
    for (const move of moves) if (!(await this.session.play(move))) return;
  }

  #arrows(node, lines) {
    const arrows = lines.slice(0, 3).map((line, index) => {
      const legal = node.place.legal.find((move) => move.move === line.pv[0]);
      return legal && { way: legal.ways[0], kind: index ? "other" : "best" };
    });
    this.session.board.arrows([...arrows.reverse(), this.#threat].filter(Boolean));
  }

  gauge(points) {
    const share = Math.round((points ?? 0.5) * 100);
    const bar = $("gauge").firstElementChild;
    bar.style.height = `${share}%`;
    $("gauge").classList.toggle("flipped", this.session.board.flipped);
  }

  async #know(node, line) {
    let known;
    try {
      known = await this.session.socket.ask({ type: "knowledge", ...line });
    } catch {
      known = { book: [] };
    }
    if (this.session.game.at !== node) return;
    node.safe = known.table?.safe;
    const parts = [];
    const button = (move, value = "") => {
      const legal = node.place.legal.find((other) => other.move === move);
      const text = `${legal?.text ?? move} ${value}`.trim();
      return el("button", { type: "button", class: "move", onclick: () => this.#follow(node, [move]) }, text);
    };
    if (known.table) {
      parts.push(el("p", {}, verdict(known.table, node.sign)));
      const { best } = known.table;
      const moves = best.slice(0, SHOWN).map((move) => button(move));
      if (moves.length) parts.push(el("p", {}, el("b", {}, t("best"), " "), ...moves));
    }
    if (known.book.length) {
      const moves = known.book.map(({ move, score: men }) => button(move, score({ score: men }, node.sign)));
      parts.push(el("p", {}, el("b", {}, t("book"), " "), ...moves));
    }
    $("knowledge").classList.remove("old");
    $("knowledge").replaceChildren(...parts);
  }
}

/** Left and right move along a line; Tab reaches only its first move. */
function walk(event) {
  const step = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" }[event.key];
  const next = step && document.activeElement[step];
  if (!next) return;
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** The chances in percent: white wins, draw, black wins. */
function percents({ wdl }, sign) {
  const whole = wdl.map((share) => Math.floor(share * 100));
  // What is missing to 100 goes to the largest remainders.
  const order = [0, 1, 2].sort((a, b) => wdl[b] * 100 - whole[b] - (wdl[a] * 100 - whole[a]));
  const missing = 100 - whole[0] - whole[1] - whole[2];
  for (const index of order.slice(0, Math.max(missing, 0))) whole[index]++;
  const [win, draw, loss] = whole;
  return sign > 0 ? [win, draw, loss] : [loss, draw, win];
}

function chances(line, sign) {
  const [white, draw, black] = percents(line, sign);
  return t("chances", { white, draw, black });
}

/** The chances as a bar. */
export function bar(line, sign) {
  const words = chances(line, sign);
  const parts = percents(line, sign).map((share, index) => {
    const part = el("i", { class: ["white", "draw", "black"][index] });
    part.style.width = `${share}%`;
    return part;
  });
  return el("span", { class: "wdl", role: "img", "aria-label": words, title: words }, ...parts);
}

/** The endgame table value. */
function verdict(table, sign) {
  const count = Math.ceil((table.distance ?? 0) / 2);
  const side = (value) => {
    if (value === "draw") return t("tables.draw");
    return t((value === "win") === sign > 0 ? "tables.white" : "tables.black");
  };
  const wins = (table.value === "win") === sign > 0 ? "tables.white-in" : "tables.black-in";
  const value = count && table.value !== "draw" ? n(wins, count) : side(table.value);
  if (table.fmjd === table.value) return t("tables", { value });
  return t("tables.rules", { value, ruled: side(table.fmjd) });
}
