// The board: pieces, squares, arrows; moves by drag, tap and keyboard. The rules are on the server, which sends the
// legal moves with all their routes.

import { el, svg } from "./dom.js";
import { t } from "./lang.js";

const KINDS = { w: t("piece.w"), b: t("piece.b"), W: t("piece.W"), B: t("piece.B"), e: t("piece.e") };
const CROWN = "M2.7 6.6 L2.3 3.6 L3.8 4.7 L5 2.8 L6.2 4.7 L7.7 3.6 L7.3 6.6 z";
const STEP = 110;
const FEWEST = 200;

/** Column and row of a square, seen from white's side. */
export function place(square) {
  const row = Math.floor((square - 1) / 5);
  return { row, column: 2 * ((square - 1) % 5) + (row % 2 === 0 ? 1 : 0) };
}

/** Where the number of a square at the border of the board is written. */
function outer({ x, y }) {
  const row = y === 0 ? [x + 5, -2] : y === 90 ? [x + 5, 102] : null;
  const column = x === 0 ? [-2, y + 5] : x === 90 ? [102, y + 5] : null;
  return [row, column].filter(Boolean);
}

/** A piece in the corner of its square. */
export function drawPiece(kind, { x, y }) {
  const side = kind.toLowerCase() === "w" ? "white" : "black";
  const group = svg("g", { class: `piece ${side}` });
  group.append(svg("ellipse", { cx: 5, cy: 5.5, rx: 4.05, ry: 4, class: "shade" }));
  group.append(svg("circle", { cx: 5, cy: 5, r: 4, class: "disc" }));
  group.append(svg("circle", { cx: 5, cy: 5, r: 3, class: "ring" }));
  if (kind === kind.toUpperCase()) group.append(svg("path", { d: CROWN, class: "crown" }));
  else group.append(svg("circle", { cx: 5, cy: 5, r: 2, class: "ring" }));
  group.style.transform = `translate(${x}px, ${y}px)`;
  return group;
}

/** A read-only board. */
export function smallBoard(board, last = [], flipped = false) {
  const parts = [svg("rect", { width: 100, height: 100, class: "light" })];
  for (let square = 1; square <= 50; square++) {
    const { row, column } = place(square);
    const [x, y] = flipped ? [90 - column * 10, 90 - row * 10] : [column * 10, row * 10];
    const at = { x, y, width: 10, height: 10 };
    parts.push(svg("rect", { ...at, class: "dark" }));
    if (last.includes(square)) parts.push(svg("rect", { ...at, class: "last" }));
    if (board[square] !== "e") parts.push(drawPiece(board[square], at));
  }
  return svg("svg", { viewBox: "0 0 100 100", class: "picture", "aria-hidden": "true" }, ...parts);
}

export class Board {
  #buttons = new Map();
  #pieces = new Map();
  #board = "";
  #legal = [];
  #picked = [];
  #drag = null;
  #noClick = false;
  #focus = 28;
  /** What can move, and where the picked piece can go. */
  #hints = { movers: new Set(), ends: new Set(), turns: new Set() };
  flipped = false;
  animated = true;
  /** Replaces moves: called when a square is chosen. */
  onsquare = null;

  /** `onmove` gets a legal move; `onrefused` two squares without a legal move between them. */
  constructor(frame, { onmove, onrefused }) {
    this.onmove = onmove;
    this.onrefused = onrefused;
    this.squares = svg("g");
    this.marks = svg("g");
    this.men = svg("g");
    this.lines = svg("g", { class: "arrows" });
    const head = svg("path", { d: "M0 0 L4 2 L0 4 z" });
    const tip = { id: "tip", viewBox: "0 0 4 4", refX: "2.2", refY: "2", markerWidth: "3", markerHeight: "3" };
    const defs = svg("defs", {}, svg("marker", { ...tip, orient: "auto" }, head));
    const picture = { class: "picture", "aria-hidden": "true" };
    this.picture = svg("svg", picture, defs, this.squares, this.marks, this.men, this.lines);
    this.grid = el("div", { class: "squares", role: "group", "aria-label": t("board") });
    frame.append(this.picture, this.grid);
    this.frame = frame;
    this.numbers("squares");
    this.#make();
    this.#listen();
  }

  /** Where the numbers are: on the `squares`, at the `border`, or nowhere (`off`). */
  numbers(where) {
    this.frame.dataset.numbers = where;
    this.picture.setAttribute("viewBox", where === "border" ? "-4 -4 108 108" : "0 0 100 100");
  }

  #xy(square) {
    const { row, column } = place(square);
    return this.flipped ? { x: (9 - column) * 10, y: (9 - row) * 10 } : { x: column * 10, y: row * 10 };
  }

  #make() {
    this.squares.replaceChildren(svg("rect", { width: 100, height: 100, class: "light" }));
    this.grid.replaceChildren();
    this.#buttons.clear();
    const order = Array.from({ length: 50 }, (_, index) => (this.flipped ? 50 - index : index + 1));
    for (const square of order) {
      const { x, y } = this.#xy(square);
      this.squares.append(svg("rect", { x, y, width: 10, height: 10, class: "dark" }));
      this.squares.append(svg("text", { x: x + 0.35, y: y + 1.75, class: "number" }, String(square)));
      for (const [atX, atY] of outer({ x, y })) {
        this.squares.append(svg("text", { x: atX, y: atY, class: "outer" }, String(square)));
      }
      const button = el("button", { type: "button", "data-square": square, tabindex: -1 });
      button.style.left = `${x}%`;
      button.style.top = `${y}%`;
      this.#buttons.set(square, button);
      this.grid.append(button);
    }
    this.#buttons.get(this.#focus).tabIndex = 0;
  }

  flip(flipped) {
    if (this.flipped === flipped) return;
    this.flipped = flipped;
    this.#make();
    this.#draw();
    this.#mark();
  }

  /**
   * Shows a position, a Hub board of 51 characters. `way` and `captured`: the last move, to be animated, or with `back`
   * undone. `last`: squares to mark.
   */
  show(board, { way = [], back = false, last = [] } = {}) {
    const before = this.#board;
    this.#board = board;
    this.#legal = [];
    this.#picked = [];
    // A piece that is dragged is drawn anew where it stands.
    if (!this.#drag?.painting) this.#drag = null;
    this.last = last;
    this.#draw();
    if (this.animated && before && way.length > 1) this.#animate(before, back ? [...way].reverse() : way, back);
    this.#mark();
  }

  /** Sets the legal moves. None: the board accepts no moves. */
  allow(legal) {
    this.#legal = legal;
    this.#picked = [];
    this.#mark();
  }

  get mayMove() {
    return this.#legal.length > 0;
  }

  get mustTake() {
    return this.#legal[0]?.captured.length ?? 0;
  }

  #draw() {
    this.men.replaceChildren();
    this.#pieces.clear();
    for (let square = 1; square <= 50; square++) {
      const kind = this.#board[square] ?? "e";
      if (kind !== "e") this.#pieces.set(square, this.#piece(kind, square));
    }
    for (const [square, button] of this.#buttons) this.#label(square, button);
  }

  #piece(kind, square) {
    const group = drawPiece(kind, this.#xy(square));
    this.men.append(group);
    return group;
  }

  #animate(before, way, back) {
    const piece = this.#pieces.get(way[way.length - 1]);
    if (!piece) return;
    const spots = way.map((square) => this.#xy(square));
    const duration = Math.max(FEWEST, STEP * (way.length - 1) + 90);
    piece.parentNode.append(piece);
    piece.animate(
      spots.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` })),
      { duration, easing: "ease-in-out" },
    );
    if (back) return;
    for (let square = 1; square <= 50; square++) {
      const gone = before[square] !== "e" && this.#board[square] === "e" && square !== way[0];
      if (!gone) continue;
      const ghost = this.#piece(before[square], square);
      this.men.prepend(ghost);
      const fade = ghost.animate([{ opacity: 1 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], { duration });
      fade.onfinish = () => ghost.remove();
    }
  }

  // Selection.

  #ways(from = this.#picked) {
    if (!from.length) return [];
    const ways = this.#legal.flatMap((move) => move.ways.map((way) => ({ move, way })));
    return ways.filter(({ way }) => this.#leads(way, from));
  }

  /** Whether a route begins on the first square and passes the others in order. */
  #leads(way, squares) {
    if (way[0] !== squares[0]) return false;
    let at = 0;
    return squares.slice(1).every((square) => {
      at = way.indexOf(square, at + 1);
      return at > 0;
    });
  }

  #movers() {
    return new Set(this.#legal.map((move) => move.ways[0][0]));
  }

  /** The next squares for the picked piece: the ends of its routes, and the turning points that distinguish them. */
  #targets() {
    const ways = this.#ways();
    const ends = new Set(ways.map(({ way }) => way[way.length - 1]));
    const turns = new Set();
    const moves = new Set(ways.map(({ move }) => move));
    if (moves.size > ends.size || this.#picked.length > 1) {
      for (const { way } of ways) for (const square of way.slice(1, -1)) turns.add(square);
    }
    this.#picked.forEach((square) => turns.delete(square));
    return { ends, turns };
  }

  #choose(square) {
    if (this.onsquare) return this.onsquare(square, this.#board[square]);
    if (!this.#legal.length) return;
    const [from] = this.#picked;
    if (from !== undefined && this.#step(square)) return;
    const isMover = this.#movers().has(square);
    if (from !== undefined && !isMover && square !== from) this.onrefused(from, square);
    if (from === undefined && !isMover && this.#board[square] !== "e") this.onrefused(square, null);
    this.#picked = isMover && (square !== from || this.#picked.length > 1) ? [square] : [];
    this.#mark();
  }

  /**
   * Extends the route of the picked piece; false if impossible. Plays as soon as one move is left; choosing a square
   * twice selects the capture that ends there over one that turns there.
   */
  #step(square) {
    const ends = (way) => way[way.length - 1] === square;
    const again = this.#picked.length > 1 && this.#picked[this.#picked.length - 1] === square;
    const ways = again ? this.#ways().filter(({ way }) => ends(way)) : this.#ways([...this.#picked, square]);
    const moves = new Set(ways.map(({ move }) => move));
    if (!moves.size) return false;
    if (moves.size === 1) {
      this.#picked = [];
      this.onmove([...moves][0]);
    } else {
      this.#picked.push(square);
      this.#mark();
      this.onpartial?.();
    }
    return true;
  }

  #mark() {
    const marks = [];
    const add = (square, kind) => {
      const { x, y } = this.#xy(square);
      marks.push(svg("rect", { x, y, width: 10, height: 10, class: kind }));
    };
    const dot = (square, kind, r) => {
      const { x, y } = this.#xy(square);
      marks.push(svg("circle", { cx: x + 5, cy: y + 5, r, class: kind }));
    };
    for (const square of this.last ?? []) add(square, "last");
    const movers = this.#movers();
    this.#hints = { movers, ...this.#targets() };
    if (this.mustTake) for (const square of movers) add(square, "must");
    for (const square of this.#picked) add(square, "picked");
    const { ends, turns } = this.#hints;
    for (const square of turns) dot(square, "turn", 1.1);
    for (const square of ends) dot(square, "target", 1.6);
    this.marks.replaceChildren(...marks);
    for (const [square, button] of this.#buttons) {
      this.#label(square, button);
      button.classList.toggle("can", movers.has(square) || ends.has(square) || turns.has(square));
    }
  }

  #label(square, button) {
    const words = [String(square), KINDS[this.#board[square]] ?? KINDS.e];
    if (this.#picked.includes(square)) words.push(t("square.picked"));
    else if (this.#hints.movers.has(square)) words.push(t(this.mustTake ? "square.must" : "square.can"));
    if (this.#hints.ends.has(square)) words.push(t("square.target"));
    if (this.#hints.turns.has(square)) words.push(t("square.turn"));
    if (this.last?.includes(square)) words.push(t("square.last"));
    button.setAttribute("aria-label", words.join(", "));
  }

  /** Arrows: origin, destination and strength. */
  arrows(list) {
    this.lines.replaceChildren(
      ...list.flatMap(({ way, kind }) => {
        const points = way.map((square) => this.#xy(square)).map(({ x, y }) => `${x + 5},${y + 5}`);
        return ["halo", kind].map((name) =>
          svg("polyline", { points: points.join(" "), class: `arrow ${name}`, "marker-end": "url(#tip)" }));
      }),
    );
  }

  // Pointer and keyboard.

  #at(event) {
    const box = this.grid.getBoundingClientRect();
    const [column, row] = [event.clientX - box.left, event.clientY - box.top]
      .map((offset, axis) => Math.floor((offset / (axis ? box.height : box.width)) * 10));
    const [c, r] = this.flipped ? [9 - column, 9 - row] : [column, row];
    const isDark = c >= 0 && c < 10 && r >= 0 && r < 10 && (c + r) % 2 === 1;
    return isDark ? r * 5 + Math.floor(c / 2) + 1 : null;
  }

  #listen() {
    this.grid.addEventListener("pointerdown", (event) => this.#grab(event));
    this.grid.addEventListener("pointermove", (event) => this.#pull(event));
    this.grid.addEventListener("pointerup", (event) => this.#let(event));
    this.grid.addEventListener("pointercancel", () => this.#putBack());
    this.grid.addEventListener("click", (event) => {
      const square = Number(event.target.dataset?.square);
      // A click by keyboard has no detail.
      if (this.#noClick && event.detail || !square) return;
      this.#focusOn(square);
      this.#choose(square);
    });
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #grab(event) {
    this.#noClick = false;
    const square = this.#at(event);
    if (this.onsquare && event.button === 0 && square) {
      this.#paint(event, square, true);
      return;
    }
    if (event.button !== 0 || !square || !this.#movers().has(square)) return;
    this.#drag = { square, x: event.clientX, y: event.clientY, moved: false, pointer: event.pointerId };
  }

  /** Puts a piece in the editor, once a square. */
  #paint(event, square, isFirst) {
    this.#drag = { square, painting: true, pointer: event.pointerId };
    this.#noClick = true;
    this.grid.setPointerCapture(event.pointerId);
    this.onsquare(square, this.#board[square], isFirst);
  }

  #pull(event) {
    const drag = this.#drag;
    if (drag?.painting) {
      const square = this.#at(event);
      if (this.onsquare && square && square !== drag.square) this.#paint(event, square, false);
      return;
    }
    if (!drag || drag.pointer !== event.pointerId) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < 5) return;
    const piece = this.#pieces.get(drag.square);
    if (!drag.moved) {
      drag.moved = true;
      this.grid.setPointerCapture(event.pointerId);
      if (this.#picked[0] !== drag.square) this.#picked = [drag.square];
      this.#mark();
      piece.parentNode.append(piece);
      piece.classList.add("dragged");
    }
    const scale = 100 / this.grid.getBoundingClientRect().width;
    const { x, y } = this.#xy(drag.square);
    piece.style.transform = `translate(${x + dx * scale}px, ${y + dy * scale}px)`;
  }

  #let(event) {
    const drag = this.#drag;
    this.#putBack();
    if (!drag?.moved) return;
    this.#noClick = true;
    const square = this.#at(event);
    if (square && square !== drag.square) {
      const quiet = this.animated;
      this.animated = false;
      if (!this.#step(square)) this.onrefused(drag.square, square);
      setTimeout(() => (this.animated = quiet), 150);
    }
  }

  #putBack() {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag?.moved) return;
    const { x, y } = this.#xy(drag.square);
    const piece = this.#pieces.get(drag.square);
    piece?.classList.remove("dragged");
    if (piece) piece.style.transform = `translate(${x}px, ${y}px)`;
  }

  #focusOn(square) {
    this.#buttons.get(this.#focus).tabIndex = -1;
    this.#focus = square;
    const button = this.#buttons.get(square);
    button.tabIndex = 0;
    button.focus();
  }

  #key(event) {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const step = steps[event.key];
    if (event.key === "Escape" && this.#picked.length) {
      this.#picked = [];
      this.#mark();
    } else if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    else {
      const sign = this.flipped ? -1 : 1;
      const row = Math.floor((this.#focus - 1) / 5) + step[0] * sign;
      const next = step[0] ? this.#focus + step[0] * sign * 5 : this.#focus + step[1] * sign;
      if (row >= 0 && row < 10 && next >= 1 && next <= 50) this.#focusOn(next);
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
