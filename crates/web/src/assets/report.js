// How well each side played, from white's expected points after each move.

import { el } from "./dom.js";
import { t } from "./lang.js";

/** Expected points under which a game counts as lost, and over one minus which as won. */
const DECIDED = 0.05;
/** Pieces on the board from which on it is the opening, and up to which it is the endgame. */
const OPENING = 30;
const ENDGAME = 12;
const PHASES = [t("report.opening"), t("report.middle"), t("report.endgame")];
const MARKS = [[6, "?!"], [2, "?"], [4, "??"]];

/** Men that a move of the opening book may be worse than the best one, as on the server. */
const BOOK_MARGIN = 0.1;

const pieces = (board) => board.slice(1).replaceAll("e", "").length;

function phase(board) {
  const count = pieces(board);
  return count >= OPENING ? 0 : count > ENDGAME ? 1 : 2;
}

const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null);

/** For white and black: accuracy in percent (null without a move that counts), accuracies by phase, marks, moves. */
export function report(game) {
  const sides = [0, 1].map(() => ({ all: [], phases: PHASES.map(() => []), marks: MARKS.map(() => 0), moves: 0 }));
  for (const node of game.main().slice(1)) {
    const { parent } = node;
    const side = sides[parent.sign > 0 ? 0 : 1];
    side.moves++;
    const mark = node.nags.filter((nag) => nag <= 6).slice(-1)[0];
    MARKS.forEach(([nag], index) => (side.marks[index] += mark === nag ? 1 : 0));
    if (parent.points === null || node.points === null) continue;
    const own = (points) => (parent.sign > 0 ? points : 1 - points);
    const [before, after] = [own(parent.points), own(node.points)];
    const isDecided = before <= DECIDED || (before >= 1 - DECIDED && after >= 1 - DECIDED);
    const isLeftAlone = node.isBook && !mark;
    if (isDecided || isLeftAlone || parent.place?.legal.length === 1) continue;
    const value = 100 * Math.min(Math.max(1 - 2 * Math.max(before - after, 0), 0), 1);
    side.all.push(value);
    side.phases[phase(parent.board)].push(value);
  }
  return sides.map(({ all, phases, marks, moves }) =>
    ({ accuracy: mean(all), counted: all.length, phases: phases.map(mean), marks, moves }));
}

/** Asks which moves of the opening are in the book. */
export async function findBookMoves(game, socket) {
  if (!socket.welcome?.book) return;
  const nodes = game.main().slice(1).filter(({ parent }) => phase(parent.board) === 0);
  await Promise.all(nodes.map(async (node) => {
    const start = game.start ? { start: game.start } : {};
    const { book } = await socket.ask({ type: "knowledge", moves: node.parent.moves, ...start });
    const known = book.find(({ move }) => move === node.move);
    node.isBook = known !== undefined && book[0].score - known.score <= BOOK_MARGIN;
  }));
}

/** Whether enough is known of the game for a report. */
export function isKnown(game) {
  const nodes = game.main();
  return nodes.length > 2 && nodes.filter((node) => node.points !== null).length > nodes.length / 2;
}

/** The report as a table. */
export function showReport(game) {
  const [white, black] = report(game);
  const percent = (value) => (value === null ? "–" : t("report.percent", { value: Math.round(value) }));
  const rows = [
    [t("report.accuracy"), ...[white, black].map(({ accuracy }) => percent(accuracy))],
    [t("report.counted"), ...[white, black].map((side) => t("report.of", { count: side.counted, all: side.moves }))],
    ...MARKS.map(([, mark], index) => [mark, white.marks[index], black.marks[index]]),
    ...PHASES.map((name, index) => [name, percent(white.phases[index]), percent(black.phases[index])]),
  ];
  const cells = ([name, ...values]) =>
    el("tr", {}, el("th", { scope: "row" }, name), ...values.map((value) => el("td", {}, String(value))));
  const head = [["White", t("white")], ["Black", t("black")]]
    .map(([tag, side]) => el("th", { scope: "col" }, game.tag(tag) || side));
  const table = el("table", { class: "report" }, el("thead", {}, el("tr", {}, el("td"), ...head)),
    el("tbody", {}, ...rows.map(cells)));
  const explained = t("report.explained", { opening: OPENING, endgame: ENDGAME });
  return [table, el("details", {}, el("summary", {}, t("report.how")), el("p", {}, explained))];
}
