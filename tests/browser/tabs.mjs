// Many tabs of one browser at once: node tests/browser/tabs.mjs BINARY [TABS]
// Each plays a game; all analyse; the server is killed and comes back; every tab is loaded again. Nothing may be lost.

import assert from "node:assert/strict";
import { memory, percentile } from "./client.mjs";
import { launch, moves, open, serve } from "./lib.mjs";

const [binary, countText = "50"] = process.argv.slice(2);
const count = Number(countText);
const say = (name, value) => console.log(`${name.padEnd(58)} ${value}`);
const seconds = (began) => `${((performance.now() - began) / 1000).toFixed(1)} s`;

let server = await serve(binary, ["--engines", "2"]);
const browser = await launch();
const first = await open(browser, server.url);
const tabs = [first];
let began = performance.now();
while (tabs.length < count) {
  const page = await first.context().newPage();
  await page.goto(server.url);
  await page.locator("body[data-ready]").waitFor();
  tabs.push(page);
}
say(`${count} tabs opened one after the other`, seconds(began));

/** Plays the first move that the board offers, and waits for the answer. */
async function turn(page, answers) {
  const before = (await moves(page)).length;
  await page.locator(".squares .can").first().dispatchEvent("click");
  const began = performance.now();
  await page.locator('.squares [aria-label*="target"]').first().dispatchEvent("click");
  await page.locator("#moves .move").nth(before + 1).waitFor({ timeout: 120_000 });
  await page.locator(".squares .can").first().waitFor({ state: "attached", timeout: 120_000 });
  answers.push(performance.now() - began);
}

const answers = [];
began = performance.now();
for (let round = 0; round < 5; round++) await Promise.all(tabs.map((page) => turn(page, answers)));
say("5 moves in each, all at once", seconds(began));
say("a move with its answer, median", `${percentile(answers, 0.5).toFixed(0)} ms`);
say("the same, 99th percentile", `${percentile(answers, 0.99).toFixed(0)} ms`);
say("memory of the server", memory(server.pid));

const kept = await Promise.all(tabs.map(moves));
assert.ok(kept.every((list) => list.length === 10));
began = performance.now();
await Promise.all(tabs.map((page) => page.locator("#tab-analyse").dispatchEvent("click")));
const depth = (page) => page.locator("#engine-info", { hasText: /depth ([6-9]|\d\d)/ }).waitFor({ timeout: 120_000 });
await Promise.all(tabs.map(depth));
say("all analyse: every one has come to depth 6 after", seconds(began));

const { port } = server;
await server.end("SIGKILL");
await Promise.all(tabs.map((page) => page.locator("#lost").waitFor({ state: "attached" })));
server = await serve(binary, ["--engines", "2"], port);
began = performance.now();
await Promise.all(tabs.map((page) => page.locator("#lost").waitFor({ state: "hidden", timeout: 60_000 })));
say("after kill -9 all are connected again in", seconds(began));
await Promise.all(tabs.map((page) => page.reload()));
await Promise.all(tabs.map((page) => page.locator("#moves .move").nth(9).waitFor({ timeout: 60_000 })));
assert.deepEqual(await Promise.all(tabs.map(moves)), kept);
say("every tab loaded again", "nothing lost");
say("memory of the server", memory(server.pid));
await browser.close();
await server.end();
process.exit(0);
