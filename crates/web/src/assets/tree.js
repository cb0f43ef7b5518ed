// A game as a tree of variations. The first child of a node continues the main line.

export const START_BOARD = `W${"b".repeat(20)}${"e".repeat(10)}${"w".repeat(20)}`;

/** Machine-readable parts of comments, such as `[%eval 0.12]`. */
const COMMAND = /\[%[^\]]*\]\s*/g;

export class Node {
  constructor(parent, data) {
    this.parent = parent;
    this.children = [];
    this.ply = parent ? parent.ply + 1 : 0;
    this.move = data.move ?? null;
    this.text = data.text ?? "";
    this.way = data.way ?? [];
    this.board = data.board ?? START_BOARD;
    this.nags = data.nags ?? [];
    this.comment = data.comment ?? "";
    this.points = data.points ?? null;
    this.place = null;
    this.isBook = false;
  }

  /** 1 where white is to move, -1 otherwise. */
  get sign() {
    return this.board[0] === "W" ? 1 : -1;
  }

  /** The comment without machine-readable parts. */
  get words() {
    return this.comment.replace(COMMAND, "").trim();
  }

  set words(text) {
    this.comment = [...(this.comment.match(COMMAND) ?? []), text.trim()].map((part) => part.trim()).join(" ").trim();
  }

  /** The expected points lost by the move, as text; empty without a mark. */
  get lost() {
    return this.comment.match(/\[%lost ([\d.]+)\]/)?.[1] ?? "";
  }

  get isMain() {
    return !this.parent || (this.parent.children[0] === this && this.parent.isMain);
  }

  /** The moves from the first position to this one. */
  get moves() {
    const moves = [];
    for (let node = this; node.parent; node = node.parent) moves.push(node.move);
    return moves.reverse();
  }

  child(move) {
    return this.children.find((child) => child.move === move) ?? null;
  }

  /** The last node of the line through this one. */
  get leaf() {
    let node = this;
    while (node.children.length) node = node.children[0];
    return node;
  }

  /** The move number, which counts both plies as one. */
  get number() {
    const first = this.root.sign > 0 ? 0 : 1;
    return Math.floor((this.ply - 1 + first) / 2) + 1;
  }

  get root() {
    let node = this;
    while (node.parent) node = node.parent;
    return node;
  }
}

/** The moves after a node, in the format of the protocol. */
function lineOf(parent) {
  const line = [];
  for (let at = parent; at.children.length; at = at.children[0]) {
    const [main, ...others] = at.children;
    const variations = others.map((other) => ({ moves: [plain(other), ...lineOf(other)] }));
    line.push({ ...plain(main), variations });
  }
  return line;
}

function plain(node) {
  const { move, text, way, board, nags, comment, points } = node;
  return { move, text, way, board, nags, comment, points };
}

function grow(parent, line) {
  let at = parent;
  for (const data of line) {
    const node = new Node(at, data);
    at.children.push(node);
    for (const variation of data.variations ?? []) {
      grow(at, variation.moves);
      const first = at.children[at.children.length - 1];
      if (variation.comment) first.comment = [variation.comment, first.comment].filter(Boolean).join(" ");
    }
    at = node;
  }
}

/** A name for a game, unlike all others. */
const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/** A game: tags, tree, and who plays. */
export class Game {
  constructor(data = {}) {
    this.id = data.id ?? newId();
    this.tags = data.tags ?? [];
    this.start = data.start ?? null;
    this.result = data.result ?? "*";
    this.play = data.play ?? null;
    this.flipped = data.flipped ?? false;
    this.root = new Node(null, { board: data.board ?? START_BOARD, comment: data.comment, points: data.points });
    grow(this.root, data.moves ?? []);
    this.at = this.find(data.path ?? []) ?? this.root;
    /** The game as opened; null for a game played here. */
    this.original = data.opened ? this.text() : null;
  }

  /** From now on it is stored as another game than before. */
  split() {
    this.id = newId();
    this.original = null;
  }

  find(path) {
    let node = this.root;
    for (const index of path) node = node?.children[index];
    return node ?? null;
  }

  get path() {
    const path = [];
    for (let node = this.at; node.parent; node = node.parent) path.push(node.parent.children.indexOf(node));
    return path.reverse();
  }

  tag(name) {
    return this.tags.find(([known]) => known === name)?.[1] ?? "";
  }

  setTag(name, value) {
    const found = this.tags.find(([known]) => known === name);
    if (found) found[1] = value;
    else this.tags.push([name, value]);
  }

  /** The game in the format of the protocol. */
  written() {
    const { tags, start, result } = this;
    const game = { tags, result, comment: this.root.comment, moves: lineOf(this.root) };
    return start ? { ...game, start } : game;
  }

  /** Its content without the evaluations. */
  text() {
    return JSON.stringify(this.written(), (key, value) => (key === "points" ? undefined : value));
  }

  /** Its form in the browser's storage. */
  kept() {
    const { id, play, flipped, path } = this;
    const { board, points } = this.root;
    const opened = this.text() === this.original;
    return { ...this.written(), id, play, flipped, path, board, points, opened, updated: Date.now() };
  }

  /** The nodes of the main line, including the first position. */
  main() {
    const nodes = [this.root];
    while (nodes[nodes.length - 1].children.length) nodes.push(nodes[nodes.length - 1].children[0]);
    return nodes;
  }

  /** Removes a node and its successors. */
  remove(node) {
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
  }

  /** Makes a variation the main line. */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const list = at.parent.children;
      list.splice(list.indexOf(at), 1);
      list.unshift(at);
    }
  }
}
