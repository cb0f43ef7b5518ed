// The position editor: discs to put, squares painted by click, drag or keyboard, a field with the FEN.

import { drawPiece } from "./board.js";
import { choices } from "./dialogs.js";
import { $, el, svg, toast } from "./dom.js";
import { faultOf } from "./files.js";
import { t } from "./lang.js";
import { START_BOARD, Game } from "./tree.js";

const KINDS = [["w", t("put.w")], ["W", t("put.W")], ["b", t("put.b")], ["B", t("put.B")], ["e", t("put.e")]];
const EMPTY = "e".repeat(50);
const SWAPPED = { w: "b", b: "w", W: "B", B: "W", e: "e" };

/** A disc as the label of a choice. */
function disc(kind, name) {
  const picture = svg("svg", { viewBox: "0 0 10 10", class: "disc-picture", "aria-hidden": "true" });
  if (kind === "e") picture.append(svg("path", { d: "M3 3 L7 7 M7 3 L3 7", class: "cross" }));
  else picture.append(drawPiece(kind, { x: 0, y: 0 }));
  return el("i", { title: name }, picture, el("b", { class: "hidden" }, name));
}

/** Turns the board into an editor of the shown position. */
export function setup(session) {
  const { board } = session;
  const node = session.game.at;
  let now = [...node.board.slice(1)];
  let turn = node.board[0];
  let piece = "w";
  let painted = piece;
  const text = () => turn + now.join("");
  const fen = el("input", { id: "setup-fen", spellcheck: "false", "aria-label": "FEN" });
  const ask = (start) => session.socket.ask({ type: "position", start, moves: [] });
  const show = async () => {
    board.show(text());
    const asked = text();
    const place = await ask(asked).catch(() => null);
    // A FEN that is being typed stays.
    if (place && asked === text() && document.activeElement !== fen) fen.value = place.fen;
  };
  const set = (squares, side = turn) => {
    now = [...squares];
    turn = side;
    for (const input of sides.querySelectorAll("input")) input.checked = input.value === turn;
    show();
  };
  const end = (next) => {
    board.onsquare = null;
    $("task").hidden = true;
    session.setMode("analyse");
    if (next) next();
    else session.goTo(node);
  };
  const refuse = ({ message }) => toast(t("open.bad-position", { error: faultOf(message, text()) }), "bad");
  const done = async () => {
    try {
      const place = await ask(text());
      session.remember(t("setup"));
      end(() => session.setGame(new Game({ start: place.fen, board: place.board }), "analyse"));
    } catch (error) {
      refuse(error);
    }
  };
  fen.onchange = async () => {
    try {
      const place = await ask(fen.value);
      set(place.board.slice(1), place.board[0]);
    } catch (error) {
      refuse(error);
    }
  };
  const button = (words, onclick, kind = "") => el("button", { type: "button", class: kind, onclick }, words);
  const both = [["W", t("white")], ["B", t("black")]];
  const sides = choices("turn", t("setup.turn"), both, turn, (value) => set(now, value));
  session.setMode("setup");
  // A drag paints what its first square got.
  board.onsquare = (square, was, isFirst = true) => {
    if (isFirst) painted = was === piece ? "e" : piece;
    now[square - 1] = painted;
    show();
  };
  $("status").textContent = t("setup.about");
  $("task").replaceChildren(
    choices("put", t("setup.put"), KINDS.map(([kind, name]) => [kind, disc(kind, name)]), piece, (value) => (piece = value)),
    sides,
    el("label", { class: "check", for: "setup-fen" }, "FEN", fen),
    el("div", { class: "tools" },
      button(t("setup.empty"), () => set(EMPTY)),
      button(t("setup.start"), () => set(START_BOARD.slice(1), "W")),
      button(t("setup.mirror"), () => set(now.map((kind) => SWAPPED[kind]).reverse(), turn === "W" ? "B" : "W")),
      button(t("cancel"), () => end()),
      button(t("done"), done, "primary"),
    ),
  );
  $("task").hidden = false;
  show();
}
