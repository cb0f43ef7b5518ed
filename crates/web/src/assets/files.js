// Opens positions and games from text and files, lists games, saves games.

import { $, copy, download, el, toast } from "./dom.js";
import { n, t } from "./lang.js";
import { capital } from "./session.js";
import { games, keepFile, keptFile, stored } from "./store.js";
import { Game } from "./tree.js";

/** Characters in a part of a large file; a message is limited to a mebibyte. */
const PART = 180_000;
/** A file with a zero in its first bytes is no text, unless it is UTF-16, which the first of them show. */
const NO_TEXT = 4096;
const WIDE = 512;
/** Bytes that are decoded at a time: less than a mebibyte, with three for a character. */
const BYTES = 300_000;
/** Entries of a list that are shown at once; more come as one scrolls. */
const CHUNK = 100;

/** Where the first line begins that is no UTF-8. */
function foreignAt(bytes) {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let begin = 0;
  try {
    utf8.decode(bytes);
    return bytes.length;
  } catch {
    try {
      for (let end; ; begin = end) {
        end = bytes.indexOf(10, begin) + 1 || bytes.length;
        utf8.decode(bytes.subarray(begin, end));
      }
    } catch {
      return begin;
    }
  }
}

/** Splits a file at the start of a game, so that each part can be parsed separately. */
function* parts(text) {
  let begin = 0;
  while (begin < text.length) {
    let end = begin + PART;
    if (end < text.length) {
      const gap = /\r?\n[ \t]*\r?\n(?=\[)/g;
      gap.lastIndex = end;
      const found = gap.exec(text);
      end = found ? found.index + found[0].length : text.length;
    }
    yield { end, text: text.slice(begin, end) };
    begin = end;
  }
}

/** Whether a text is meant as a position: a FEN, a board of Hub or DXP, or a picture of the board. */
function isPosition(text) {
  if (text.length > 4000) return false;
  // Full-width forms as plain ones, without what is not seen.
  text = text.normalize("NFKC").replace(/\p{Cf}/gu, "").trim();
  const isRow = (line) => /^([wbzox._·•⛀-⛃○●-]{5}){1,2}$/i.test(line.replace(/[\s\d|│()[\]]/g, ""));
  if (text.split("\n").filter(isRow).length > 7) return true;
  const tag = /^\[\s*FEN\b[^[\]]*\]$/i;
  const fen = /^(FEN\s*[:=]?\s*)?["'“”„]?\s*(w|b|z|white|black|wit|zwart)\s*[:;.：]\s*(w|b|z|\d|k|$)[^[\]]*$/i;
  const board = /^(pos=)?["']?([wbze.-]\s*){51}["']?$|^[wbz]\s*:\s*[wbze.-]{50}$/i;
  return tag.test(text) || fen.test(text) || board.test(text);
}

/** Whether not even the beginning of a game of a list can be read. */
const isLost = ({ error, plies }) => error && !plies;

/** What is wrong in a game or position: the move by its number, and no characters counted. */
export function faultOf(message, text) {
  const plain = message.replace(/^(game \d+, )?(FEN, |line \d+, )?character \d+: /, "");
  // A game from a position may begin with black's move.
  if (/FEN/.test(text)) return plain;
  return plain.replace(/^ply (\d+) \(([^()]+)\)/, (_, ply, move) =>
    `${Math.ceil(ply / 2)}.${ply % 2 ? "" : ".."} ${move}`);
}

export class Files {
  /** The list of a file: its games, and the index of the one on the board. */
  #file = null;

  constructor(session) {
    this.session = session;
    session.addEventListener("tree", () => this.#showNav());
    $("file-back").onclick = () => this.step(-1);
    $("file-forth").onclick = () => this.step(1);
    $("file-list").onclick = () => {
      if (this.#file.show) return this.#file.show();
      // After a reload of the page it is made again.
      if (!$("list-games").childElementCount) this.#fillList();
      $("list").showModal();
    };
  }

  /** Takes up the list of before a reload. */
  restore() {
    this.#file ??= keptFile();
    this.#showNav();
  }

  /** The game on the board is one of the list. */
  get #isIn() {
    return this.#file?.games[this.#file.at]?.id === this.session.game.id;
  }

  #showNav() {
    const nav = $("file-nav");
    nav.hidden = !this.#isIn;
    if (nav.hidden) return;
    const { at, games, name, all = games.length } = this.#file;
    const place = t("list.at", { at: at + 1, all });
    $("file-list").textContent = name ? `${place} · ${name}` : place;
    $("file-back").disabled = !this.#next(-1);
    $("file-forth").disabled = !this.#next(1) && games.length === all;
  }

  /** The index of the next game that can be read, plus one; 0 without one. */
  #next(by) {
    let at = this.#file.at + by;
    while (this.#file.games[at] && isLost(this.#file.games[at])) at += by;
    return this.#file.games[at] ? at + 1 : 0;
  }

  /** Opens the next game of the file, or the previous one. */
  async step(by) {
    if (!this.#isIn) return;
    const file = this.#file;
    if (by > 0 && !this.#next(by)) await file.more?.();
    const next = this.#isIn && this.#file === file && this.#next(by);
    if (next) this.#openAt(file.games[next - 1]);
  }

  /** Opens a game of the list, with the changes made since. */
  async #openAt(entry) {
    this.#file.at = this.#file.games.indexOf(entry);
    const known = entry.id && stored(entry.id);
    try {
      if (known) this.session.setGame(new Game(known), "analyse");
      else await this.openGame(entry.text || (await this.base.read(entry)), (game) => (entry.id = game.id));
      let node = this.session.game.root;
      for (let left = entry.ply ?? 0; left && node.children.length; left--) [node] = node.children;
      if (node.parent) this.session.goTo(node);
    } catch (error) {
      toast(error.message, "bad");
    }
    keepFile(this.#file);
    this.#showNav();
  }

  /** Opens a file, as `open` does a text. */
  async openFile(file) {
    try {
      return await this.open(await this.#textOf(new Uint8Array(await file.arrayBuffer())), file.name);
    } catch (error) {
      toast(error.message, "bad");
      return false;
    }
  }

  /** Text of a file. What is neither UTF-8 nor UTF-16 with its mark is decoded by the server. */
  async #textOf(bytes) {
    const mark = (bytes[0] << 8) | bytes[1];
    let wide = { 0xfffe: "UTF-16LE", 0xfeff: "UTF-16BE" }[mark];
    if (!wide && bytes.subarray(0, NO_TEXT).includes(0)) {
      wide = (await this.#decode(bytes.subarray(0, WIDE))).encoding;
      if (!wide.startsWith("UTF-16")) return "\0";
    }
    if (wide) return new TextDecoder(wide).decode(bytes);
    let begin = foreignAt(bytes);
    let text = new TextDecoder().decode(bytes.subarray(0, begin));
    let encoding;
    while (begin < bytes.length) {
      const part = bytes.subarray(begin, begin + BYTES);
      const end = begin + BYTES < bytes.length ? part.lastIndexOf(10) + 1 || part.length : part.length;
      const decoded = await this.#decode(part.subarray(0, end), encoding);
      encoding = decoded.encoding;
      text += decoded.text;
      begin += end;
    }
    if (encoding) toast(t("open.encoding", { encoding }));
    return text;
  }

  /** The text of some bytes, and its encoding. In a message, bytes are their characters in windows-1252. */
  #decode(bytes, encoding) {
    const text = new TextDecoder("windows-1252").decode(bytes);
    return this.session.socket.ask({ type: "decode", text, encoding });
  }

  /** Opens a text: a position or games. False if it is neither. */
  async open(text, name = "") {
    const plain = text.trim();
    if (plain.includes("\0")) {
      toast(t("open.no-text"), "bad");
      return false;
    }
    try {
      if (isPosition(plain)) await this.openPosition(plain);
      else await this.openGames(text, name);
      return true;
    } catch (error) {
      const fault = () => t("open.bad-position", { error: faultOf(error.message, plain) });
      toast(isPosition(plain) ? fault() : error.message, "bad");
      return false;
    }
  }

  async openPosition(text) {
    const place = await this.session.socket.ask({ type: "position", start: text, moves: [] });
    this.session.setGame(new Game({ start: place.fen, board: place.board }), "analyse");
  }

  /** Opens a single game, or shows the list, which grows while a large file is read. Closing it ends the reading. */
  async openGames(text, name) {
    const games = [];
    let grow = null;
    for (const part of parts(text)) {
      const answer = await this.session.socket.ask({ type: "read_games", text: part.text });
      for (const entry of answer.games) {
        games.push({ ...entry, text: part.text.slice(entry.begin, entry.end) });
      }
      if (grow && !$("list").open) return;
      if (games.length && (grow || part.end < text.length)) {
        grow ??= this.showList(games, name);
        grow(part.end / text.length);
      }
    }
    if (grow) return this.base.offer(games, name);
    const good = games.filter((game) => !isLost(game));
    if (!games.length) throw new Error(t("open.neither"));
    if (!good.length) {
      const isGame = /\p{Nd}\s*[-x:×х−\p{Pd}]\s*\p{Nd}/iu.test(text);
      throw new Error(isGame ? t("open.bad-game", { error: faultOf(games[0].error, text) }) : t("open.neither"));
    }
    if (good.length === 1 && games.length === 1) return this.openGame(good[0].text);
    this.showList(games, name);
    this.base.offer(games, name);
  }

  async openGame(text, begin = () => {}) {
    const { socket } = this.session;
    const { game, note, error } = await socket.ask({ type: "read_game", text });
    const start = game.start ? { start: game.start } : {};
    const place = await socket.ask({ type: "position", moves: [], ...start });
    const opened = new Game({ ...game, board: place.board, opened: true });
    begin(opened);
    this.session.setGame(opened, "analyse");
    if (error) toast(t("open.cut", { error: faultOf(error, text) }), "bad");
    else if (note) toast(capital(faultOf(note, text)));
  }

  /** A searchable list of games. Returns a function to call with the share read when there are more. */
  showList(games, name) {
    this.#file = { games, name, at: -1 };
    this.base.offer([]);
    const grow = this.#fillList();
    $("list").showModal();
    return grow;
  }

  /** Fills the dialog of the list; returns what `showList` does. */
  #fillList() {
    const { games, name } = this.#file;
    const dialog = $("list");
    const search = $("list-search");
    let [reading, last] = ["", ""];
    let most = CHUNK;
    const show = () => {
      this.puzzles?.offer(games);
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const text = (game) => `${game.white} ${game.black} ${game.event} ${game.date} ${game.result}`.toLowerCase();
      const found = games.filter((game) => words.every((word) => text(game).includes(word)));
      const count = t(name ? "list.count.in" : "list.count", { count: found.length, all: games.length, name });
      $("list-note").textContent = reading ? `${count}; ${reading}` : count;
      const shown = found.slice(0, most);
      // Keeps existing entries and the focus.
      const now = words.join(" ");
      const list = $("list-games");
      if (now !== last || !list.childElementCount) list.replaceChildren();
      list.append(...shown.slice(list.childElementCount).map((game) => this.entry(game, dialog)));
      last = now;
    };
    $("list-games").replaceChildren();
    dialog.onscroll = () => {
      if (dialog.scrollTop + dialog.clientHeight < dialog.scrollHeight - 400) return;
      most += CHUNK;
      show();
    };
    search.value = "";
    search.oninput = () => {
      most = CHUNK;
      show();
    };
    show();
    return (share) => {
      reading = share < 1 ? t("list.reading", { percent: Math.round(share * 100) }) : "";
      show();
    };
  }

  /** A game of a list in a dialog; `file.more` reads more games of the list. */
  entry(game, dialog, file = this.#file) {
    const error = game.error && el("span", { class: "error" }, faultOf(game.error, game.text));
    if (isLost(game)) return el("li", {}, error);
    const open = () => {
      dialog.close();
      this.#file = file;
      this.#openAt(game);
    };
    const names = `${game.white || "?"} – ${game.black || "?"}`;
    const isKnown = (text) => text && text !== "?" && text !== "*";
    const more = [game.result, game.date, game.event].filter(isKnown).join(" · ");
    const about = el("small", {}, `${more}${more ? " · " : ""}${n("plies", Math.ceil(game.plies / 2))}`);
    return el("li", {}, el("button", { type: "button", onclick: open }, el("span", {}, names), about, error || null));
  }

  async pdn() {
    const { text } = await this.session.socket.ask({ type: "write_game", game: this.session.game.written() });
    return text;
  }

  /** A name for a file of the game. */
  get name() {
    const { game } = this.session;
    const words = [game.tag("Date"), game.tag("White"), game.tag("Black")].filter((text) => text && text !== "?");
    return words.join(" ").replace(/[^\p{L}\p{N}.-]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80) || "game";
  }

  async save() {
    try {
      download(await this.pdn(), `${this.name}.pdn`);
      toast(t("saved"));
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** All stored games and the one on the board, which may not fit the storage; newest first. */
  async saveAll() {
    const { game: now, socket } = this.session;
    const kept = games().filter((game) => game.id !== now.id).map((game) => new Game(game));
    const all = [now, ...kept].filter((game) => game.root.children.length);
    if (!all.length) return toast(t("saved.none"));
    const texts = [];
    const faults = [];
    for (const game of all) {
      try {
        const { text } = await socket.ask({ type: "write_game", game: game.written() });
        texts.push(text);
      } catch (error) {
        faults.push(error.message);
      }
    }
    if (texts.length) download(texts.join("\n"), "games.pdn");
    if (faults.length) toast(t("saved.faults", { count: faults.length, all: all.length, error: faults[0] }), "bad");
    else toast(n("saved.all", texts.length));
  }

  async copyPdn() {
    try {
      await copy(await this.pdn(), t("what.game"));
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}
