// Elements and text. Text is inserted as text nodes only.

import { decimal, t } from "./lang.js";

/** Messages at once: more would cover the board. */
const MOST_TOASTS = 2;
const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.setAttribute("class", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element with attributes, listeners (`onclick`) and children. */
export function el(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element. */
export function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

export const $ = (id) => document.getElementById(id);

/** Shows a message for a while and announces it to screen readers. `action`: words of a button, and what it does. */
export function toast(text, kind = "note", action = null) {
  const box = el("div", { class: `toast ${kind}` }, text);
  if (action) {
    const [words, act] = action;
    const onclick = () => {
      box.remove();
      act();
    };
    box.append(el("button", { type: "button", onclick }, words));
  }
  // An open dialog hides the rest of the page, also from screen readers.
  (document.querySelector("dialog[open]") ?? document.body).append($("toasts"));
  for (const old of $("toasts").children) if (old.textContent === text) old.remove();
  $("toasts").append(box);
  while ($("toasts").childElementCount > MOST_TOASTS) $("toasts").firstChild.remove();
  setTimeout(() => box.remove(), kind === "bad" || action ? 7000 : 4000);
}

/** Announces a message to screen readers. */
export function announce(text) {
  $("live").textContent = text;
}

/** Writes text to the clipboard; if the browser refuses, shows it for copying. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied", { what }));
  } catch {
    // Outside of this machine the page is served over plain http, where browsers have no clipboard for scripts.
    const area = el("textarea", { readonly: true, class: "copy", "aria-label": what });
    const focused = document.activeElement;
    area.value = text;
    // What is outside of an open dialog cannot be selected.
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const done = document.activeElement === area && document.execCommand("copy");
    area.remove();
    focused?.focus();
    toast(done ? t("copied", { what }) : t("not-copied", { text }), done ? "note" : "bad");
  }
}

/** Downloads PDN, or a blob, as a file. */
export function download(content, name) {
  const link = el("a", { download: name });
  const blob = content instanceof Blob ? content : new Blob([content], { type: "application/x-draughts-pdn" });
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A score as text, from white's side: `+0.35`, `W wins in 4`. `sign` is 1 where white is to move, -1 otherwise. */
export function score(worth, sign) {
  for (const [name, side] of [["win_in", sign], ["loss_in", -sign]]) {
    if (worth[name] === undefined) continue;
    return t(side > 0 ? "score.white-in" : "score.black-in", { count: Math.ceil(worth[name] / 2) });
  }
  if (worth.table_win_in !== undefined) return t(sign > 0 ? "score.white" : "score.black");
  if (worth.table_loss_in !== undefined) return t(sign > 0 ? "score.black" : "score.white");
  const men = worth.score * sign;
  return `${men > 0 ? "+" : men < 0 ? "−" : ""}${decimal(Math.abs(men), 2)}`;
}

/** White's expected points. */
export const whitePoints = (worth, sign) => (sign > 0 ? worth.points : 1 - worth.points);

export const NAGS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□" };
