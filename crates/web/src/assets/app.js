// The page: connects its parts.

import { $, NAGS, el, toast } from "./dom.js";
import { n, t, translate } from "./lang.js";
import { Socket } from "./socket.js";
import { Board } from "./board.js";
import { Session } from "./session.js";
import { Play } from "./play.js";
import { Analysis } from "./analysis.js";
import { Review } from "./review.js";
import { Files } from "./files.js";
import { Dialogs } from "./dialogs.js";
import { Details } from "./details.js";
import { Puzzles } from "./puzzles.js";
import { Base } from "./base.js";
import { sound } from "./sound.js";
import { setup } from "./editor.js";
import { Share } from "./share.js";
import { Match } from "./match.js";
import { scrollToCurrent, showCurve, showMoves } from "./moves.js";
import { last, settings, tidy } from "./store.js";
import { Game } from "./tree.js";

translate();
const socket = new Socket();
const board = new Board($("board"), {});
const session = new Session(socket, board);
const play = new Play(session);
const analysis = new Analysis(session);
const review = new Review(session);
const files = new Files(session);
const match = new Match(session, files);
const share = new Share(session, files);
const dialogs = new Dialogs({ session, play, files, share, apply });
new Details(session);
const puzzles = new Puzzles(session);
files.puzzles = puzzles;
files.base = new Base(session, files);

let isSetup = false;
/** The address of a server that watches a match ends in #match. */
let wantsMatch = new URLSearchParams(location.hash.slice(1)).has("match");

/** Applies the settings. */
function apply() {
  document.documentElement.dataset.theme = settings.theme;
  document.documentElement.dataset.board = settings.board;
  board.numbers(settings.numbers);
  if (!settings.arrows) board.arrows([]);
  if ($("engine-lines").value !== String(settings.lines)) analysis.restart();
  $("gauge").hidden = session.mode !== "analyse" || !settings.gauge;
}

function showMode() {
  document.body.dataset.mode = session.mode;
  const isPlay = session.mode === "play";
  const isAnalysis = session.mode === "analyse";
  for (const element of document.querySelectorAll(".analyse")) element.hidden = !isAnalysis;
  $("play-tools").hidden = !isPlay;
  $("tab-play").setAttribute("aria-selected", String(isPlay));
  $("tab-analyse").setAttribute("aria-selected", String(!isPlay));
  $("tab-play").tabIndex = isPlay ? 0 : -1;
  $("tab-analyse").tabIndex = isPlay ? -1 : 0;
  $("panel").setAttribute("aria-labelledby", isPlay ? "tab-play" : "tab-analyse");
  if (session.mode !== "setup") board.onsquare = null;
  if (isPlay || session.mode === "analyse" && isSetup) $("task").hidden = true;
  isSetup = session.mode === "setup";
  apply();
}

function showTree() {
  showMoves(session.game, (node) => session.goTo(node));
  showCurve(session.game, (node) => session.goTo(node));
  const { at } = session.game;
  $("back").disabled = $("first").disabled = !at.parent;
  $("forth").disabled = $("last").disabled = !at.children.length;
  $("comment").value = at.words;
  $("promote").disabled = at.isMain;
  $("delete").disabled = !at.parent;
  $("undo").disabled = !session.undoable;
  for (const button of document.querySelectorAll(".nags button")) {
    button.setAttribute("aria-pressed", String(at.nags.includes(Number(button.dataset.nag))));
  }
}

/** Changes the mode, with the same game. */
function setMode(mode) {
  if (session.mode === mode) return;
  board.onsquare = null;
  if (mode === "play" && !session.game.play) return dialogs.newGame(session.game.at);
  if (mode === "play") session.game.at = play.leaf;
  session.setMode(mode);
  session.goTo(session.game.at);
}

function flip() {
  session.game.flipped = !board.flipped;
  board.flip(session.game.flipped);
  session.save();
  session.look();
}

function step(where) {
  const { at, root } = session.game;
  const to = { first: root, back: at.parent, forth: at.children[0], last: at.leaf }[where];
  if (to && to !== at) session.goTo(to);
}

/** On a narrow screen all moves and the rarer tools are in a sheet above the bar. */
function sheet(isOpen) {
  document.body.toggleAttribute("data-sheet", isOpen);
  $("more").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) scrollToCurrent();
}

function listenSheet() {
  $("more").onclick = () => sheet(!document.body.hasAttribute("data-sheet"));
  $("first-more").onclick = () => step("first");
  $("last-more").onclick = () => step("last");
  $("flip-more").onclick = flip;
  $("help-more").onclick = () => $("help-dialog").showModal();
  $("more-tools").addEventListener("click", (event) => event.target.closest("button") && sheet(false));
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !document.body.hasAttribute("data-sheet")) return;
    sheet(false);
    $("more").focus();
  });
  addEventListener("pointerdown", (event) => {
    if (!event.target.closest("#sheet, #more, dialog")) sheet(false);
  });
}

function listen() {
  listenSheet();
  $("setup").onclick = () => setup(session);
  $("threat").onclick = () => analysis.threat();
  $("undo").onclick = () => session.undo();
  addEventListener("hashchange", () => share.open());
  document.querySelector(".tabs").addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const other = event.target.id === "tab-play" ? $("tab-analyse") : $("tab-play");
    other.focus();
    other.click();
    event.preventDefault();
    event.stopPropagation();
  });
  session.addEventListener("mode", showMode);
  session.addEventListener("game", () => ($("task").hidden = true));
  session.addEventListener("tree", showTree);
  session.addEventListener("shown", showTree);
  session.addEventListener("shown", () => play.showPlayers());
  session.addEventListener("valued", () => showCurve(session.game, (node) => session.goTo(node)));
  session.addEventListener("over", offerReview);
  session.addEventListener("over", () => sound("end"));
  session.addEventListener("played", ({ detail }) => sound(detail.move.includes("x") ? "capture" : "move"));
  socket.addEventListener("state", showState);
  for (const where of ["first", "back", "forth", "last"]) $(where).onclick = () => step(where);
  $("flip").onclick = flip;
  $("tab-play").onclick = () => setMode("play");
  $("tab-analyse").onclick = () => setMode("analyse");
  $("copy-fen").onclick = () => dialogs.copyFen();
  $("typed").onsubmit = (event) => {
    event.preventDefault();
    const text = $("typed-move").value.trim();
    if (!text) return;
    if (session.mode === "play" && !board.mayMove) return toast(t("not-your-turn"));
    session.play(text).then((node) => node && ($("typed-move").value = ""));
  };
}

/** After a game: offers its mistakes. */
function offerReview() {
  const button = el("button", { type: "button", class: "primary" }, t("review"));
  button.onclick = () => review.start();
  const again = el("button", { type: "button", onclick: () => dialogs.newGame() }, t("nav.new"));
  const save = el("button", { type: "button", onclick: () => files.save() }, t("nav.save"));
  $("task").replaceChildren(el("div", { class: "tools" }, button, save, again));
  $("task").hidden = false;
}

/** The number of moves from a node on, with variations. */
const size = (node) => node.children.reduce((sum, child) => sum + size(child), 1);

function annotate() {
  const marks = document.querySelector(".nags");
  for (const nag of [1, 3, 5, 6, 2, 4, 7]) {
    const button = el("button", { type: "button", "data-nag": nag, "aria-pressed": "false" }, NAGS[nag]);
    button.onclick = () => {
      const { at } = session.game;
      if (!at.parent) return;
      session.remember(t("comment.marks"));
      // A move has one of the marks from ! to ?!.
      const others = at.nags.filter((other) => other !== nag && (nag > 6 || other > 6));
      at.nags = at.nags.includes(nag) ? others : [...others, nag];
      session.save();
      session.changed();
    };
    marks.append(button);
  }
  $("comment").onchange = () => {
    session.remember(t("comment"));
    session.game.at.words = $("comment").value;
    session.save();
    session.changed();
  };
  $("promote").onclick = () => {
    session.remember(t("promote"));
    session.game.promote(session.game.at);
    session.save();
    session.changed();
  };
  $("delete").onclick = () => {
    const { at } = session.game;
    session.remember(t("delete"));
    const count = size(at);
    toast(n("deleted", count), "note", [t("undo"), () => session.undo()]);
    session.game.remove(at);
    session.goTo(at.parent);
    session.save();
    session.changed();
  };
}

function keys() {
  const actions = {
    ArrowLeft: () => step("back"),
    ArrowRight: () => step("forth"),
    ArrowUp: () => step("first"),
    ArrowDown: () => step("last"),
    n: () => dialogs.newGame(),
    f: flip,
    t: () => session.mode === "play" && play.takeBack(),
    h: () => session.mode === "play" && play.hint(),
    p: () => puzzles.open(),
    g: () => files.base.show(),
    a: () => setMode(session.mode === "play" ? "analyse" : "play"),
    e: () => session.mode === "analyse" && analysis.toggle(),
    x: () => session.mode === "analyse" && analysis.threat(),
    u: () => session.undo(),
    PageUp: () => files.step(-1),
    PageDown: () => files.step(1),
    "?": () => $("help-dialog").showModal(),
  };
  addEventListener("keydown", (event) => {
    const isText = event.target.matches?.("input, textarea, select") || document.querySelector("dialog[open]");
    if (!isText && event.key === "z" && (event.ctrlKey || event.metaKey)) return session.undo();
    if (isText || event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
}

function drops() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) files.openFile(file);
    else files.open(event.dataTransfer.getData("text"));
  });
  addEventListener("paste", (event) => {
    if (event.target.matches?.("input, textarea") || document.querySelector("dialog[open]")) return;
    const text = event.clipboardData.getData("text");
    const [file] = event.clipboardData.files;
    if (text.trim()) files.open(text);
    else if (file) files.openFile(file);
  });
}

function showState() {
  // Also above a dialog that was opened since.
  $("lost").hidden = socket.isOpen;
  for (const isShown of [false, !socket.isOpen]) $("lost").togglePopover?.(isShown);
  document.body.toggleAttribute("data-ready", socket.isOpen);
  $("match").hidden = !socket.welcome?.match;
  if (socket.welcome?.match && wantsMatch) {
    wantsMatch = false;
    match.show();
  }
}

async function begin() {
  tidy();
  listen();
  annotate();
  keys();
  drops();
  apply();
  socket.connect();
  if (await share.open()) return;
  const kept = await last();
  if (!kept) return play.begin({ side: "white", level: Number(settings.level), elo: settings.elo, clock: "none" });
  session.setGame(new Game(kept));
  files.restore();
}

begin();
