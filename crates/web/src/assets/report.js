// How well each side played, from white's expected points after each move.

import { el } from "./dom.js";

/** Expected points under which a game counts as lost, and over one minus which as won. */
const DECIDED = 0.05;
/** Pieces on the board from which on it is the opening, and up to which it is the endgame. */
const OPENING = 30;
const ENDGAME = 12;
const PHASES = ["Opening", "Middle game", "Endgame"];
const MARKS = [[6, "?!"], [2, "?"], [4, "??"]];

const EXPLAINED = "A move that loses nothing counts 100 %, one that loses half a point or more (a win turned into a draw, a "
  + "draw into a loss) counts 0 %, and those between in proportion; the accuracy is their mean. Moves in decided positions "
  + "do not count (an expected score below 5 %, or one above 95 % that stays there), nor do moves without a choice. The "
  + `opening lasts while there are ${OPENING} pieces or more, the endgame begins with ${ENDGAME}.`;

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
    if (isDecided || parent.place?.legal.length === 1) continue;
    const value = 100 * Math.min(Math.max(1 - 2 * Math.max(before - after, 0), 0), 1);
    side.all.push(value);
    side.phases[phase(parent.board)].push(value);
  }
  return sides.map(({ all, phases, marks, moves }) =>
    ({ accuracy: mean(all), counted: all.length, phases: phases.map(mean), marks, moves }));
}

/** Whether enough is known of the game for a report. */
export function isKnown(game) {
  const nodes = game.main();
  return nodes.length > 2 && nodes.filter((node) => node.points !== null).length > nodes.length / 2;
}

/** The report as a table. */
export function showReport(game) {
  const [white, black] = report(game);
  const percent = (value) => (value === null ? "–" : `${Math.round(value)} %`);
  const rows = [
    ["Accuracy", ...[white, black].map(({ accuracy }) => percent(accuracy))],
    ["Moves that count", ...[white, black].map(({ counted, moves }) => `${counted} of ${moves}`)],
    ...MARKS.map(([, mark], index) => [mark, white.marks[index], black.marks[index]]),
    ...PHASES.map((name, index) => [name, percent(white.phases[index]), percent(black.phases[index])]),
  ];
  const cells = ([name, ...values]) =>
    el("tr", {}, el("th", { scope: "row" }, name), ...values.map((value) => el("td", {}, String(value))));
  const head = ["White", "Black"].map((side) => el("th", { scope: "col" }, game.tag(side) || side));
  const table = el("table", { class: "report" }, el("thead", {}, el("tr", {}, el("td"), ...head)),
    el("tbody", {}, ...rows.map(cells)));
  return [table, el("details", {}, el("summary", {}, "How it is worked out"), el("p", {}, EXPLAINED))];
}
