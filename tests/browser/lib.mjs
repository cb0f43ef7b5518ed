// A server and a browser for the tests: damier serve on a free port, Chromium driven by Playwright.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

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

/** A page of a profile of its own; what it says on the console or dies of is gathered in `faults`. */
export async function open(browser, url, options = {}) {
  const viewport = { width: 1280, height: 860 };
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.faults.push(message.text());
  });
  if (process.env.ASSETS) await routeAssets(page);
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

/** While one works on the page: takes its files from this folder, not from the binary. */
async function routeAssets(page) {
  await page.route(/\.(js|css)$/, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const contentType = name.endsWith("css") ? "text/css" : "text/javascript";
    return route.fulfill({ contentType, body: readFileSync(`${process.env.ASSETS}/${name}`) });
  });
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
