// A game as a link, as a picture, on paper. The link has the game in its fragment, which browsers do not send.

import { place } from "./board.js";
import { $, copy, download, el, toast } from "./dom.js";
import { t } from "./lang.js";

/** Maximum characters of a link; longer ones are cut by other programs. */
const LONGEST_LINK = 16_000;
/** Maximum bytes of a game in a link, unpacked. */
const MOST_BYTES = 900_000;
/** Pixels of a square, and of the margin around the board. */
const SQUARE = 96;
const MARGIN = 56;

/** The bytes that a stream of `transform` makes of `bytes`; an error if there are more than `most`. */
async function through(transform, bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > most) throw new Error(t("link.opened.long"));
    parts.push(value);
  }
}

/** Text as a packed part of an address. */
export async function packed(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text), Infinity);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text of `packed`. */
export async function unpacked(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  const stream = new DecompressionStream("deflate-raw");
  return new TextDecoder().decode(await through(stream, bytes, MOST_BYTES));
}

/** The game of the address, which then no longer has it: a reload shows the game as it is by then. */
export function takeShared() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const game = parts.get("game");
  if (!game) return null;
  parts.delete("game");
  history.replaceState(null, "", `${location.pathname}#${parts}`);
  return game;
}

/** Draws a board: squares, numbers at the border, pieces. */
function draw(canvas, board, flipped) {
  const size = 10 * SQUARE + 2 * MARGIN;
  canvas.width = canvas.height = size;
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const paint = (name) => style.getPropertyValue(name).trim();
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, size, size);
  pen.fillStyle = paint("--light-square");
  pen.fillRect(MARGIN, MARGIN, 10 * SQUARE, 10 * SQUARE);
  pen.font = "600 26px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (let square = 1; square <= 50; square++) {
    const { row, column } = place(square);
    const [c, r] = flipped ? [9 - column, 9 - row] : [column, row];
    const [x, y] = [MARGIN + c * SQUARE, MARGIN + r * SQUARE];
    pen.fillStyle = paint("--dark-square");
    pen.fillRect(x, y, SQUARE, SQUARE);
    pen.fillStyle = "#23211d";
    const half = SQUARE / 2;
    if (r === 0 || r === 9) pen.fillText(String(square), x + half, r ? size - MARGIN / 2 : MARGIN / 2);
    if (c === 0 || c === 9) pen.fillText(String(square), c ? size - MARGIN / 2 : MARGIN / 2, y + half);
    if (board[square] !== "e") man(pen, board[square], x + half, y + half);
  }
  // Who is to move: a disc beside the board of the side.
  const near = (board[0] === "W") !== flipped;
  man(pen, board[0].toLowerCase(), size - MARGIN / 2, near ? size - MARGIN / 2 : MARGIN / 2, 0.22);
}

function man(pen, kind, x, y, radius = 0.4) {
  const isWhite = kind.toLowerCase() === "w";
  const ring = (share, fill, stroke) => {
    pen.beginPath();
    pen.arc(x, y, SQUARE * radius * share, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.strokeStyle = stroke;
    pen.lineWidth = 2.5;
    pen.fill();
    pen.stroke();
  };
  ring(1, isWhite ? "#fbf6e9" : "#302d2b", isWhite ? "#6f6656" : "#151413");
  ring(0.72, "#0000", isWhite ? "#b8ab8d" : "#6d665f");
  if (kind === kind.toLowerCase()) return;
  pen.fillStyle = isWhite ? "#b8862d" : "#e4bd62";
  pen.beginPath();
  const points = [[2.7, 6.6], [2.3, 3.6], [3.8, 4.7], [5, 2.8], [6.2, 4.7], [7.7, 3.6], [7.3, 6.6]];
  for (const [px, py] of points) pen.lineTo(x + ((px - 5) * SQUARE) / 10, y + ((py - 5) * SQUARE) / 10);
  pen.fill();
}

export class Share {
  constructor(session, files) {
    Object.assign(this, { session, files });
  }

  async link() {
    try {
      const parts = new URLSearchParams(location.hash.slice(1));
      parts.delete("match");
      parts.set("game", await packed(await this.files.pdn()));
      const link = `${location.origin}${location.pathname}#${parts}`;
      if (link.length > LONGEST_LINK) return toast(t("link.long"), "bad");
      await copy(link, t("what.link"));
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** Opens the game of the address; false without one. */
  async open() {
    const text = takeShared();
    if (!text) return false;
    try {
      // What the browser says of a damaged link helps nobody.
      const pdn = await unpacked(text).catch((error) => {
        throw error.constructor === Error ? error : new Error(t("link.damaged"));
      });
      await this.files.openGame(pdn);
    } catch (error) {
      toast(t("link.broken", { error: error.message }), "bad");
      return false;
    }
    return true;
  }

  picture() {
    const canvas = el("canvas");
    const { board, game } = this.session;
    draw(canvas, game.at.board, board.flipped);
    canvas.toBlob((blob) => download(blob, `${this.files.name}.png`), "image/png");
    toast(t("saved.picture"));
  }

  print() {
    $("save-dialog").close();
    window.print();
  }
}
