// A server and a browser for the tests: damier serve on a free port, Chromium driven by Playwright.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** `damier serve`; `port` 0 takes a free one. */
export async function serve(binary, args = [], port = 0) {
  const all = ["serve", "--no-open", "--port", String(port), "--tt-size", "18", ...args];
  const child = spawn(binary, all, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const { value } = await lines[Symbol.asyncIterator]().next();
  const url = value?.match(/http:\S+/)?.[0];
  if (!url) throw new Error(`no address in ${value}`);
  process.once("exit", () => child.kill("SIGKILL"));
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const end = (signal = "SIGTERM") => {
    child.kill(signal);
    return gone;
  };
  return { url, port: Number(new URL(url).port), pid: child.pid, end };
}

export function launch() {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  // Files that the test puts in count as come from afar.
  if (process.env.ASSETS) args.push("--disable-features=LocalNetworkAccessChecks");
  return chromium.launch({ executablePath: BROWSER, args });
}

/**
 * A page of a profile of its own; what it says on the console or dies of is gathered in `faults`. `onload` gets the
 * addresses of what it loads.
 */
export async function open(browser, url, options = {}, onload = () => {}) {
  const viewport = { width: 1280, height: 860 };
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("request", (request) => onload(request.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.faults.push(message.text());
  });
  await routeAssets(page);
  if (process.env.SLOW) await page.addInitScript(slow, Number(process.env.SLOW));
  page.on("pageerror", (error) => page.faults.push(String(error)));
  await page.goto(url);
  await page.locator("body[data-ready]").waitFor().catch((error) => {
    throw new Error(`${error.message}\n${page.faults.join("\n")}`);
  });
  return page;
}

/** What the page sends arrives later, as from a server that is far away or loaded. */
function slow(milliseconds) {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    setTimeout(() => this.readyState === WebSocket.OPEN && send.call(this, text), milliseconds);
  };
}

/** While one works on the page: takes its files from the folder ASSETS, not from the binary. */
export async function routeAssets(page) {
  if (!process.env.ASSETS) return;
  await page.route(/\.(js|css)$/, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const contentType = name.endsWith("css") ? "text/css" : "text/javascript";
    return route.fulfill({ contentType, body: readFileSync(`${process.env.ASSETS}/${name}`) });
  });
  const set = `${process.env.ASSETS}/../../../analysis/src/puzzle/puzzles.pdn`;
  await page.route(/\/puzzles\.pdn$/, (route) => route.fulfill({ contentType: "text/plain", body: readFileSync(set) }));
  await page.route(/:\d+\/(#.*)?$/, (route) =>
    route.fulfill({ contentType: "text/html", body: readFileSync(`${process.env.ASSETS}/index.html`) }));
}

/** The button of a square. */
export const square = (page, number) => page.locator(`.squares [data-square="${number}"]`);

/** Clicks squares one after the other. */
export async function clicks(page, ...numbers) {
  for (const number of numbers) await square(page, number).click();
}

/** Pastes a text into the dialog for opening. */
export async function paste(page, text) {
  await page.click("#open");
  await page.fill("#open-text", text);
  await page.click("#open-dialog .primary");
}

export const moves = (page) => page.locator("#moves .move").allTextContents();
export const status = (page) => page.locator("#status").innerText();

export const GAME = '[White "Ann"]\n[Black "Bob"]\n\n1. 32-28 18-23 2. 33-29 23x32 3. 37x28 12-18 4. 39-33 7-12 5. 44-39 1-7 '
  + "{solid} (5... 20-25 6. 50-44 1-7) 6. 50-44 19-23 7. 28x19 14x23 8. 35-30 10-14 *";

/** A puzzle, one whose answer is not the best move, and one whose answer is illegal. */
const POSITION = '[FEN "W:W22,28,32,34,37:B9,11,17,19,24"]';
export const PUZZLES = [
  `${POSITION}\n[Grade "1"]\n[Motif "coup de talon"]\n\n1. 34-29 24x33 2. 28x39 17x28 3. 32x3 *`,
  '[FEN "W:W26,28,29,31,36:B9,16,17,18,19"]\n[Grade "2"]\n\n1. 26-21 *',
  `${POSITION}\n[Grade "3"]\n\n1. 32-21 *`,
].join("\n\n");

export const LESSON = '[FEN "B:W33,38,48,47:B24,3,2,8"]\n\n1... 24-29 $4 {[%eval 5.00] [%lost 0.90] hm} '
  + "({[%eval 0.1]} 8-12 48-42) 2. 33x24 8-12 *";

/**
 * In the page: what scrolls the page, buttons outside of the screen, buttons smaller than `least` pixels, and texts that
 * are larger than their button.
 */
export function faults(least) {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) found.push("the page scrolls");
  for (const button of document.querySelectorAll("button, select, input, summary")) {
    const { width, height, left, top, right, bottom } = button.getBoundingClientRect();
    const dialog = document.querySelector("dialog[open]");
    const isHere = dialog ? dialog.contains(button) : !button.closest("dialog");
    // A choice is as large as its label, and lists scroll.
    const inScroller = button.closest(".squares, #list-games, #kept, #collections, #base-games, #match-games, #live-games");
    if (!width || !button.checkVisibility() || !isHere || inScroller) continue;
    if (["radio", "checkbox"].includes(button.type)) continue;
    const name = button.id || button.textContent;
    // Lists of moves scroll in themselves, and a move is as wide as its text.
    const inList = button.closest("#moves, #strip, #lines, #knowledge, #explorer");
    const isCut = button.scrollWidth > button.clientWidth + 1 || button.scrollHeight > button.clientHeight + 1;
    const isText = ["BUTTON", "SUMMARY"].includes(button.tagName) && button.id !== "file-list";
    if (isCut && isText) found.push(`${name} is cut`);
    if (height < least || (!inList && width < least)) found.push(`${name} is ${width} by ${height}`);
    const frame = dialog?.getBoundingClientRect() ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const isOut = left < frame.left || top < frame.top || right > frame.right + 1 || bottom > frame.bottom + 1;
    if (isOut && !inList) found.push(`${name} is outside`);
  }
  for (const choice of document.querySelectorAll("dialog[open] .choices span, .choices span:not(dialog *)")) {
    const isOver = choice.getBoundingClientRect().right > choice.closest("fieldset").getBoundingClientRect().right + 1;
    const isCut = choice.checkVisibility() && (isOver || choice.scrollWidth > choice.clientWidth + 1);
    if (isCut) found.push(`${choice.textContent} is cut`);
  }
  return found;
}

/** What axe finds. Its script comes in beside the page's policy, which stays as it is for the page. */
export async function axe(page, name) {
  const session = await page.context().newCDPSession(page);
  const frameId = await frame(session);
  const world = await session.send("Page.createIsolatedWorld", { frameId, worldName: "axe" });
  const contextId = world.executionContextId;
  await session.send("Runtime.evaluate", { expression: AXE, contextId });
  const expression = "axe.run().then((found) => JSON.stringify(found.violations))";
  const ask = { expression, contextId, awaitPromise: true, returnByValue: true };
  const { result } = await session.send("Runtime.evaluate", ask);
  const html = (nodes) => nodes.slice(0, 3).map((node) => node.html).join(" ");
  const words = JSON.parse(result.value).map(({ id, nodes }) => `${id}: ${html(nodes)}`);
  assert.deepEqual(words, [], `axe: ${name}`);
}

const frame = async (session) => (await session.send("Page.getFrameTree")).frameTree.frame.id;
