// The list of moves with variations, comments and marks; and the evaluation graph.

import { $, NAGS, el, svg } from "./dom.js";
import { t } from "./lang.js";

/** A button for a move. */
function button(node, current, go) {
  // Of the marks from ! to ?! the last one counts.
  const mark = node.nags.filter((nag) => nag <= 6).slice(-1);
  const marks = [...mark, ...node.nags.filter((nag) => nag > 6)].map((nag) => NAGS[nag] ?? `$${nag}`).join("");
  const bad = node.nags.some((nag) => nag === 2 || nag === 4) ? " bad" : node.nags.includes(6) ? " dubious" : "";
  const isStop = node === current || (!current.parent && node.ply === 1 && node.isMain);
  const props = { type: "button", class: `move${bad}`, tabindex: isStop ? 0 : -1, onclick: () => go(node) };
  if (node === current) props["aria-current"] = "true";
  return el("button", props, node.text + marks);
}

/** The text after a move: what it lost and the comment. */
function remark(node) {
  const lost = node.lost && t("gave-away", { percent: Math.round(node.lost * 100) });
  return [lost, node.words].filter(Boolean).join(" ");
}

const number = (node) => (node.parent.sign > 0 ? `${node.number}.` : `${node.number}…`);

/** A variation and those nested in it, as running text. */
function flow(first, current, go, out) {
  let afresh = true;
  for (let node = first; node; node = node.children[0]) {
    if (afresh || node.parent.sign > 0) out.push(el("span", { class: "number" }, number(node)));
    out.push(button(node, current, go));
    const words = remark(node);
    if (words) out.push(el("span", { class: "comment" }, words));
    const others = node === first ? [] : node.parent.children.slice(1);
    for (const other of others) {
      const inner = el("span", { class: "inner" }, "(");
      const parts = [];
      flow(other, current, go, parts);
      inner.append(...parts, el("span", {}, ")"));
      out.push(inner);
    }
    afresh = others.length > 0 || words !== "";
  }
}

/** The line through the shown position as one row: on a narrow screen instead of the tree. */
function showStrip(game, go) {
  const parts = [];
  const line = [];
  for (let node = game.at.leaf; node.parent; node = node.parent) line.unshift(node);
  for (const node of line) {
    if (!parts.length || node.parent.sign > 0) parts.push(el("span", { class: "number" }, number(node)));
    parts.push(button(node, game.at, go));
  }
  const strip = $("strip");
  strip.replaceChildren(...parts);
  const current = strip.querySelector("[aria-current]");
  strip.scrollLeft = current ? current.offsetLeft - strip.clientWidth / 2 : 0;
}

const isTold = (text) => text && !["?", "-", "*", "????.??.??"].includes(text);

/** Event, date, round and result of a game that is not in progress. */
function aboutOf(game) {
  if (game.play && !game.play.over) return "";
  const round = isTold(game.tag("Round")) && t("round", { round: game.tag("Round") });
  const parts = [game.tag("Event"), game.tag("Site"), game.tag("Date"), round, game.result];
  return parts.filter(isTold).join(" · ");
}

/** Shows the tree of a game. */
export function showMoves(game, go) {
  showStrip(game, go);
  const rows = [];
  let row = null;
  const begin = (node) => {
    row = el("div", { class: "row" }, el("span", { class: "number" }, `${node.number}.`));
    if (node.parent.sign < 0) row.append(el("span", { class: "gap" }, "…"));
    rows.push(row);
  };
  const about = aboutOf(game);
  if (about) rows.push(el("p", { class: "about" }, about));
  if (game.root.words) rows.push(el("p", { class: "comment" }, game.root.words));
  for (const node of game.main().slice(1)) {
    if (!row || node.parent.sign > 0) begin(node);
    row.append(button(node, game.at, go));
    const others = node.parent.children.slice(1);
    const words = remark(node);
    if (words) rows.push(el("p", { class: "comment" }, words));
    for (const other of others) {
      const parts = [];
      flow(other, game.at, go, parts);
      rows.push(el("p", { class: "variation" }, ...parts));
    }
    if (words || others.length) row = null;
  }
  const list = $("moves");
  list.replaceChildren(...rows);
  list.classList.toggle("empty", rows.length === 0);
  scrollToCurrent();
}

/** Scrolls the list to the shown move. */
export function scrollToCurrent() {
  const list = $("moves");
  const current = list.querySelector("[aria-current]");
  if (!current) list.scrollTop = 0;
  else {
    const top = current.offsetTop;
    const bottom = top + current.offsetHeight;
    const isSeen = top >= list.scrollTop && bottom <= list.scrollTop + list.clientHeight;
    if (!isSeen) list.scrollTop = top - list.clientHeight / 2;
  }
}

/** Nodes that follow each other without a gap: the curve is not drawn over what is unknown. */
function runs(nodes) {
  const all = [];
  for (const node of nodes) {
    const run = all[all.length - 1];
    if (run && run[run.length - 1].ply === node.ply - 1) run.push(node);
    else all.push([node]);
  }
  return all;
}

/** White's expected points after each move. */
export function showCurve(game, go) {
  const nodes = game.main();
  const known = nodes.filter((node) => node.points !== null);
  const card = $("curve-card");
  // No evaluation is shown during a game.
  card.hidden = known.length < 2 || Boolean(game.play && !game.play.over);
  if (card.hidden) return;
  const last = Math.max(nodes.length - 1, 1);
  const x = (node) => (node.ply / last) * 100;
  const y = (node) => (1 - node.points) * 40;
  const parts = [svg("line", { x1: 0, x2: 100, y1: 20, y2: 20, class: "middle" })];
  for (const run of runs(known)) {
    const line = run.map((node) => `${x(node).toFixed(2)},${y(node).toFixed(2)}`);
    const area = [`${x(run[0])},20`, ...line, `${x(run[run.length - 1])},20`];
    parts.push(svg("polygon", { points: area.join(" "), class: "area" }));
    if (run.length > 1) parts.push(svg("polyline", { points: line.join(" "), class: "line" }));
    else parts.push(svg("circle", { cx: x(run[0]), cy: y(run[0]), r: 0.7, class: "spot" }));
  }
  for (const node of known.filter((node) => node.nags.some((nag) => nag === 2 || nag === 4))) {
    parts.push(svg("circle", { cx: x(node), cy: y(node), r: 1.2, class: "mistake" }));
  }
  if (game.at.isMain) parts.push(svg("line", { x1: x(game.at), x2: x(game.at), y1: 0, y2: 40, class: "now" }));
  const picture = $("curve");
  picture.replaceChildren(...parts);
  picture.onclick = (event) => {
    const box = picture.getBoundingClientRect();
    go(nodes[Math.round(((event.clientX - box.left) / box.width) * last)] ?? game.at);
  };
}
