// What a player sees, in a real browser: node checks.mjs BINARY [FOLDER FOR SCREENSHOTS]
// ASSETS=crates/web/src/assets takes the files of the page from there, so that the binary need not be built anew;
// SLOW=300 delays what a page sends by 300 ms, which shows what does not wait;
// ONLY=words runs the checks with that name.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  GAME, LESSON, PUZZLES, axe, clicks, faults, launch, moves, open, paste, routeAssets, serve, square, status,
} from "./lib.mjs";

const [binary, folder = "target/browser"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const browser = await launch();
let server = await serve(binary);
const pages = [];
const page = async (options) => {
  const made = await open(browser, server.url, options);
  pages.push(made);
  return made;
};
const shot = (page, name) => page.screenshot({ path: `${folder}/${name}.png` });
const waitStatus = (page, text) => page.locator("#status", { hasText: text }).waitFor();
const waitMoves = async (page, count) => page.locator("#moves .move").nth(count - 1).waitFor({ state: "attached" });

/** A button below the engine's lines, by the keyboard: the lines push it down when they come, and a click may miss it. */
const push = (page, button) => page.locator(button).press("Enter");

const SIZES = [[390, 664], [390, 844], [844, 390], [820, 1180], [1366, 768]];
/** Drags a piece with a finger. */
async function drag(page, from, to) {
  const session = await page.context().newCDPSession(page);
  const middle = async (number) => {
    const { x, y, width, height } = await square(page, number).boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [begin, end] = [await middle(from), await middle(to)];
  const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", begin);
  await touch("touchMove", { x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 });
  await touch("touchMove", end);
  await touch("touchEnd");
}

/** Begins a game against the weakest level, from a position if one is given. */
async function begin(page, { fen, side = "white" } = {}) {
  if (fen) {
    await paste(page, fen);
    await page.locator("#tab-analyse[aria-selected=true]").waitFor();
    await push(page, "#play-here");
  } else await page.click("#new");
  await page.check(`input[name=level][value="0"]`);
  await page.check(`input[name=side][value="${side}"]`);
  await page.click("#new-dialog .primary");
  await page.locator("#tab-play[aria-selected=true]").waitFor();
  await page.locator("#new-dialog").waitFor({ state: "hidden" });
  await page.locator(".squares .can").first().waitFor();
}

const REPORTED = '[White "Ann"]\n[Black "Bob"]\n\n1. 32-28 {[%eval 0.05]} 18-23 $6 {[%eval 0.40]} 2. 33-29 {[%eval 0.30]} '
  + "23x32 {[%eval 0.30]} 3. 37x28 $4 {[%eval -6.0]} 16-21 {[%eval -6.0]} 4. 31-27 $2 {[%eval -7.5]} *";

const checks = {
  async "a level of the ladder is chosen by its number, and plays"() {
    const own = await page();
    await own.click("#new");
    assert.ok(await own.locator("#elo").isHidden());
    await own.locator("input[name=level]").last().check();
    await own.locator("#elo").fill("1250");
    assert.equal(await own.locator("#ladder output").innerText(), "1250");
    await shot(own, "level");
    await own.check(`input[name=side][value="black"]`);
    await own.click("#new-dialog .primary");
    await waitMoves(own, 1);
    assert.match(await own.locator("#far").innerText(), /Damier \(level 1250\)/);
    // The choice is kept for the next game.
    await own.click("#new");
    assert.equal(await own.locator("#elo").inputValue(), "1250");
  },

  async "a game is played to its end, and its mistakes are found"() {
    const own = await page();
    await begin(own, { fen: "W:W27,28,32,33:B8,12,13,19" });
    for (let turn = 0; turn < 60; turn++) {
      await own.locator("#status", { hasText: /^(Your move|You (won|lost)|Draw)/ }).waitFor();
      if (!(await status(own)).startsWith("Your move")) break;
      const before = (await moves(own)).length;
      const mover = own.locator(".squares .can").first();
      await mover.click();
      const target = own.locator('.squares [aria-label*="target"]').first();
      if (await target.count()) await target.click();
      await waitMoves(own, before + 1);
    }
    assert.match(await status(own), /^(You won|You lost|Draw): /);
    await shot(own, "end-of-game");
    await own.click("#task >> text=Find the mistakes");
    await own.locator("#task", { hasText: /could be better|No mistake/ }).waitFor();
    assert.ok(!(await own.locator("#curve-card").isHidden()));
    if (await own.locator("#task .primary").count()) {
      await own.click("#task .primary");
      await own.locator("#task", { hasText: "Find a better move" }).waitFor();
      await own.click("#task >> text=Show it");
      await own.locator("#task", { hasText: "Better was" }).waitFor();
    }
    await shot(own, "mistakes");
  },

  async "one learns from the mistakes of an annotated game"() {
    const own = await page();
    await paste(own, LESSON);
    await waitMoves(own, 5);
    assert.match(await own.locator("#moves").innerText(), /gave away 90 % of a win\. hm/);
    await push(own, "#learn");
    await own.locator("#task", { hasText: "1 of 1: Black played 24-29, a blunder. Find a better move." }).waitFor();
    assert.ok(await own.locator("#moves .variation").isHidden(), "the answer is not to be seen");
    await waitStatus(own, "Find a better move");
    // The names are where their pieces are.
    assert.equal(await own.locator("#near").getAttribute("data-side"), "black");
    await square(own, 24).click();
    await square(own, 29).click();
    await own.locator("#task", { hasText: "That is what was played. Try again." }).waitFor();
    await waitStatus(own, "Find a better move");
    await square(own, 24).click();
    await square(own, 30).click();
    await own.locator("#task", { hasText: /Not yet|Good, that holds/ }).waitFor();
    await own.click("#task >> text=Close");
    await push(own, "#learn");
    await waitStatus(own, "Find a better move");
    // The board is turned to black; the key turns it at once.
    assert.equal(await own.locator(".squares button").first().getAttribute("data-square"), "50");
    for (const corner of ["1", "50"]) {
      await own.keyboard.press("f");
      assert.equal(await own.locator(".squares button").first().getAttribute("data-square"), corner);
    }
    await square(own, 8).click();
    await square(own, 12).click();
    await own.locator("#task", { hasText: "That is the best move!" }).waitFor();
    await shot(own, "learn");
    await own.click("#task .primary");
    await own.locator("#task", { hasText: "the last one" }).waitFor();
  },

  async "puzzles are tried, rated and repeated"() {
    const own = await page();
    const task = (text) => own.locator("#task", { hasText: text }).waitFor();
    const start = () => own.locator("#puzzles-dialog .primary").press("Enter");
    const stored = () => own.evaluate(() => JSON.parse(localStorage.getItem("damier.puzzles")));
    const solve = async () => {
      await clicks(own, 34, 29);
      await square(own, 28).and(own.locator(".can")).waitFor();
      await clicks(own, 28, 39);
      await square(own, 32).and(own.locator(".can")).waitFor();
      await clicks(own, 32, 3);
    };
    await paste(own, PUZZLES);
    await own.click("#list-puzzles");
    await own.locator("#puzzles-dialog", { hasText: "2 puzzles" }).waitFor();
    await own.check('#puzzles-dialog input[value="1"]', { force: true });
    await own.locator("#puzzles-dialog", { hasText: "1 puzzle" }).waitFor();
    await shot(own, "puzzles");
    await axe(own, "puzzles");
    await start();
    await task("White to move, grade 1. Find the best move.");
    assert.equal((await moves(own)).length, 0, "the answer is not to be seen");
    await own.click("#task >> text=Hint");
    await task("The piece on 34 moves.");
    await clicks(own, 32, 27);
    await task("Not yet");
    await square(own, 34).and(own.locator(".can")).waitFor();
    // It is missed at once: closing the puzzle or the page does not change that.
    assert.equal(Object.values((await stored()).seen)[0].box, 1);
    await solve();
    await task("Solved!");
    // 1200 against 1100, missed.
    await task("coup de talon · Rating 1180, solved in a row 0");
    await shot(own, "puzzle");
    await axe(own, "puzzle");
    const [[name, seen]] = Object.entries((await stored()).seen);
    assert.deepEqual([name, seen.box], ["W:W22,28,32,34,37:B9,11,17,19,24", 1]);
    await own.click("#task .primary");
    await task("That is all for now. The next one comes again");
    await own.evaluate((name) => {
      const all = JSON.parse(localStorage.getItem("damier.puzzles"));
      all.seen[name].due -= 600;
      localStorage.setItem("damier.puzzles", JSON.stringify(all));
    }, name);
    await own.click("#task .primary");
    await own.locator("#puzzles-dialog", { hasText: "1 puzzle, 1 of them comes again" }).waitFor();
    await start();
    await task("Find the best move.");
    await solve();
    await task("Rating 1180, solved in a row 1 (best 1)");
    assert.equal((await stored()).seen[name].box, 2);
    await own.locator("#task button", { hasText: "Next" }).press("Enter");
    await own.click("#task .primary");
    await own.check('#puzzles-dialog input[value="2"]', { force: true });
    await start();
    await own.locator(".toast", { hasText: "whose answer 26-21 is not the best move" }).waitFor();
    await own.click("#task >> text=Close");
    await own.locator("#tab-play[aria-selected=true]").waitFor();
    assert.ok(await own.locator("#task").isHidden());
  },

  async "a clock set back and a second tab keep the order of puzzles"() {
    const own = await page();
    const other = await own.context().newPage();
    await routeAssets(other);
    await other.goto(server.url);
    const task = (tab, text) => tab.locator("#task", { hasText: text }).waitFor();
    const wait = (seconds) => own.evaluate((added) => {
      const all = JSON.parse(localStorage.getItem("damier.puzzles"));
      Object.values(all.seen)[0].due += added;
      localStorage.setItem("damier.puzzles", JSON.stringify(all));
    }, seconds);
    const start = async (tab) => {
      await paste(tab, PUZZLES.split("\n\n[FEN").slice(0, 2).join("\n\n[FEN"));
      await tab.click("#list-puzzles");
      await tab.check('#puzzles-dialog input[value="1"]', { force: true });
      await tab.locator("#puzzles-dialog .primary").press("Enter");
      await task(tab, "Find the best move.");
    };
    await start(own);
    await own.click("#task >> text=Show it");
    // The clock was years ahead when it was missed.
    await wait(3000 * 86400);
    await own.locator("#task button", { hasText: "Next" }).press("Enter");
    await task(own, "Find the best move.");
    await wait(-3000 * 86400 - 600);
    await start(other);
    for (const tab of [own, other]) {
      await clicks(tab, 34, 29);
      await square(tab, 28).and(tab.locator(".can")).waitFor();
      await clicks(tab, 28, 39);
      await square(tab, 32).and(tab.locator(".can")).waitFor();
      await clicks(tab, 32, 3);
      await task(tab, "Solved!");
    }
    const all = await own.evaluate(() => JSON.parse(localStorage.getItem("damier.puzzles")));
    assert.equal(Object.values(all.seen)[0].box, 2, "solved once");
  },

  async "storage that is off, full or damaged does not stop the page"() {
    const put = (key, text) => localStorage.getItem(key) ?? localStorage.setItem(key, text);
    const states = {
      off: () => ["localStorage", "sessionStorage"].forEach((name) =>
        Object.defineProperty(window, name, { get: () => null })),
      full: () => {
        Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
      },
      damaged: `(${put})("damier.settings", '{"language":null,"lines":"x"}');`
        + `(${put})("damier.puzzles", '{"rating":"x","seen":null}')`,
    };
    for (const [name, state] of Object.entries(states)) {
      const context = await browser.newContext({ locale: "en-US" });
      await context.addInitScript(state);
      const own = await context.newPage();
      const faults = [];
      own.on("pageerror", (error) => faults.push(String(error)));
      await routeAssets(own);
      await own.goto(server.url);
      await own.locator("body[data-ready]").waitFor();
      await paste(own, GAME);
      await waitMoves(own, 19);
      await own.keyboard.press("p");
      await own.locator("#puzzles-dialog", { hasText: "Rating 1200" }).waitFor();
      assert.deepEqual(faults, [], name);
      await context.close();
    }
  },

  async "the built-in puzzles are fetched once their screen opens, and drilled by motif"() {
    const own = await page();
    const fetched = [];
    own.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await own.keyboard.press("p");
    await own.locator("#puzzles-dialog", { hasText: /\d{3} puzzles/ }).waitFor();
    await own.keyboard.press("Escape");
    await own.click("#puzzles");
    assert.deepEqual(fetched, ["/puzzles.pdn"]);
    await own.selectOption("#puzzle-motif", "coup de rappel");
    await own.locator("#puzzles-dialog .primary").press("Enter");
    await own.locator("#task", { hasText: "Find the best move." }).waitFor();
    await own.locator("#task button", { hasText: "Show it" }).press("Enter");
    await own.locator("#task", { hasText: /The answer: .* · .*coup de rappel.* · Rating \d+/ }).waitFor();
    await own.locator("#task button", { hasText: "Analyse" }).press("Enter");
    await own.locator("#lines li").first().waitFor();
    await own.reload();
    await own.locator("#tab-play[aria-selected=true]").waitFor();
  },

  async "a capture in several ways is clicked through"() {
    const own = await page();
    // The king takes 41, then 31 or 27, then 17: two captures end on the same square.
    await paste(own, "W:WK46:B41,31,27,17");
    // The piece that must capture is framed, once the position is there.
    await own.locator(".must").first().waitFor();
    await square(own, 46).click();
    await own.locator('[aria-label*="target"]').first().waitFor();
    assert.ok(await own.locator('[aria-label*="the capture turns here"]').count(), "turning squares are named");
    await shot(own, "capture");
    await square(own, 12).click();
    assert.equal((await moves(own)).length, 0, "12 alone does not say which pieces");
    await square(own, 46).click();
    await clicks(own, 26);
    if (!(await moves(own)).length) await clicks(own, 12);
    await waitMoves(own, 1);
    assert.match((await moves(own))[0], /^46x37x26x12$/, "the way, not the pieces taken");
  },

  async "what is tried in the analysis does not count in the game"() {
    const own = await page();
    await begin(own);
    await clicks(own, 31, 26);
    await waitMoves(own, 2);
    await waitStatus(own, "Your move");
    await own.click("#tab-analyse");
    await own.locator(".squares .can").first().click();
    await own.locator('.squares [aria-label*="target"]').first().click();
    await waitMoves(own, 3);
    await own.click("#tab-play");
    await waitStatus(own, "Your move");
    assert.equal(await own.locator("#moves [aria-current]").innerText(), (await moves(own))[1]);
    await own.locator(".squares .can").last().click();
    await own.locator('.squares [aria-label*="target"]').last().click();
    // With the answer, and what was tried unless it is what was played.
    await waitMoves(own, 4);
    await waitStatus(own, "Your move");
  },

  async "an illegal move is explained"() {
    const own = await page();
    await begin(own);
    await clicks(own, 32, 27);
    await own.locator("#moves .move").first().waitFor();
    await own.locator("#status", { hasText: "Your move" }).waitFor();
    const before = (await moves(own)).length;
    await clicks(own, 33, 22);
    await own.locator(".toast").first().waitFor();
    assert.equal((await moves(own)).length, before);
  },

  async "a piece is dragged"() {
    const own = await page();
    await begin(own);
    await square(own, 33).dragTo(square(own, 28));
    await waitMoves(own, 2);
    assert.equal((await moves(own))[0], "33-28");
  },

  async "a piece whose square changes while it is dragged is let go"() {
    const own = await page();
    await paste(own, GAME);
    await waitMoves(own, 19);
    await square(own, 32).and(own.locator(".can")).waitFor();
    const { x, y } = await square(own, 32).boundingBox();
    await own.mouse.move(x + 9, y + 9);
    await own.mouse.down();
    await own.mouse.move(x + 30, y - 9, { steps: 3 });
    await own.locator(".dragged").waitFor({ state: "attached" });
    await own.evaluate(() => document.querySelector("#forth").click());
    await own.mouse.move(x + 60, y - 60, { steps: 3 });
    await own.mouse.up();
    assert.equal((await moves(own)).length, 19);
    assert.equal(await own.locator(".dragged").count(), 0);
  },

  async "an analysis has three lines, and a click on one plays it"() {
    const own = await page();
    await own.click("#tab-analyse");
    if (await own.locator("#new-dialog[open]").count()) await own.keyboard.press("Escape");
    await own.selectOption("#engine-lines", "3");
    await own.locator("#lines li").nth(2).waitFor();
    await own.locator("#engine-info", { hasText: /depth (1\d|[89])/ }).waitFor();
    await own.locator(".arrow").first().waitFor({ state: "attached" });
    // The moves that hold are counted when each has been searched for a moment.
    await own.locator("#chances", { hasText: /White wins \d+ %, draw \d+ %, .*\d of 9 moves hold/ }).waitFor();
    await own.locator("#lines .wdl").nth(2).waitFor();
    await own.locator("#knowledge", { hasText: "Book" }).waitFor();
    await shot(own, "analysis");
    await axe(own, "analysis");
    await own.click("#engine-on");
    await own.click("#engine-on");
    await own.locator("#lines li .move").nth(2).waitFor();
    await own.locator("#lines li").first().locator(".move").nth(1).click();
    await waitMoves(own, 2);
  },

  async "the buttons below an analysis stay where they are from move to move"() {
    const own = await page();
    await paste(own, '[FEN "W:W27,28,32,33,38,42:B8,12,13,19,23,24"]\n\n1. 42-37 24-30 2. 37-31 30-35 3. 27-22 *');
    await waitMoves(own, 5);
    const lines = (text) => own.locator("#engine-info", { hasText: text }).waitFor();
    await lines(/depth \d/);
    // The curve of the game comes with the second value.
    await own.click("#forth");
    await own.locator("#curve-card").waitFor();
    await own.evaluate(() => {
      const button = document.querySelector("#play-here");
      globalThis.tops = new Set();
      const look = () => {
        globalThis.tops.add(Math.round(button.getBoundingClientRect().top));
        requestAnimationFrame(look);
      };
      look();
    });
    for (let ply = 1; ply < 5; ply++) {
      await own.click("#forth");
      await lines(/depth \d/);
      await own.locator("#chances", { hasText: "draw" }).waitFor();
    }
    const tops = await own.evaluate(() => [...globalThis.tops]);
    assert.equal(tops.length, 1, `the buttons were at ${tops.join(", ")} pixels`);
    // Nothing is known of a game that is over, and nothing stays from the position before.
    await paste(own, '[FEN "W:WK5:B10"]\n\n1. 5x14 2-0');
    await own.locator("#knowledge", { hasText: "Endgame tables: white wins" }).waitFor();
    await own.click("#forth");
    await own.locator("#knowledge p").first().waitFor({ state: "detached" });
  },

  async "a PDN with variations comes in and goes out"() {
    const own = await page();
    const text = '[White "Ann"]\n[Black "Bob <img src=x onerror=alert(1)>"]\n[Result "2-0"]\n\n'
      + "1. 32-28 $1 {A <b>good</b> move} (1. 33-28 {or this} 18-23 (1... 19-23)) 19-23 2. 28x19 14x23 *";
    await paste(own, text);
    await waitMoves(own, 7);
    assert.equal(await own.locator("#moves b, .player img").count(), 0, "text stays text");
    assert.match(await own.locator("#moves").innerText(), /A <b>good<\/b> move/);
    await shot(own, "variations");
    await own.locator("#moves .move").first().click();
    await own.locator("#annotate summary").click();
    await own.fill("#comment", "my words");
    await own.locator("#comment").blur();
    await own.click("#save");
    const [file] = await Promise.all([own.waitForEvent("download"), own.click("text=Save the game as a file")]);
    const saved = readFileSync(await file.path(), "utf8");
    for (const part of ['[White "Ann"]', "my words", "(1. 33-28", "19-23) ", "$1", '[Result "2-0"]']) {
      assert.ok(saved.includes(part.trim()), `${part} in ${saved}`);
    }
  },

  async "games of one's own stay, and all come out as a file"() {
    const own = await page();
    await begin(own);
    await square(own, 32).click();
    await square(own, 28).click();
    await waitMoves(own, 2);
    await paste(own, '[White "Opened"]\n[Black "Late"]\n\n1. 32-28 19-23 *');
    await own.locator("#far", { hasText: "Late" }).waitFor();
    // Sixty games opened before, the last one with a move more, and one that an earlier version kept.
    await own.evaluate(() => {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith("damier.game."));
      const opened = keys.map((key) => JSON.parse(localStorage[key])).find((game) => game.opened);
      for (let number = 1; number <= 60; number++) {
        const id = `old${number}`;
        const game = { ...opened, id, updated: number, opened: number < 60, tags: [["White", `Old ${number}`]] };
        localStorage[`damier.game.${id}`] = JSON.stringify(game);
      }
      const { opened: _, ...before } = { ...opened, id: "before", updated: 1, tags: [["White", "Before"]] };
      localStorage["damier.game.before"] = JSON.stringify(before);
      localStorage["damier.game.broken"] = JSON.stringify({ ...before, id: "broken", moves: [{ move: "no move" }] });
    });
    await own.reload();
    await own.locator("body[data-ready]").waitFor();
    await own.click("#save");
    const [file] = await Promise.all([own.waitForEvent("download"), own.click("text=Save all games as a file")]);
    const saved = readFileSync(await file.path(), "utf8");
    await own.locator("#toasts", { hasText: "1 of 53 games cannot be written" }).waitFor();
    const names = [...saved.matchAll(/\[White "([^"]*)"\]/g)].map(([, name]) => name);
    // The game played, that with a move more, that of before, and the last ones opened: of these and of the games
    // without a move, of which the page began one, there are fifty.
    assert.equal(names.length, 52, names.join(", "));
    for (const name of ["Old 60", "Before", "Opened", "Old 59", "Old 12"]) assert.ok(names.includes(name), name);
    assert.ok(!names.includes("Old 11") && names.some((name) => !/Old|Before|Opened/.test(name)));
  },

  async "a game that was opened and judged is one's own"() {
    const own = await page();
    await paste(own, '[White "Opened"]\n[Black "Judged"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *');
    await waitMoves(own, 6);
    const isOpened = () => own.evaluate(() => {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith("damier.game."));
      const games = keys.map((key) => JSON.parse(localStorage[key]));
      return games.find((game) => game.tags.some(([, value]) => value === "Judged")).opened;
    });
    assert.equal(await isOpened(), true);
    // What an engine thinks of its positions changes nothing.
    await own.click("#forth");
    await own.locator("#engine-info", { hasText: /depth/ }).waitFor();
    await own.click("#flip");
    assert.equal(await isOpened(), true);
    await push(own, "#review");
    await own.locator("#task", { hasText: /could be better|No mistake/ }).waitFor();
    assert.equal(await isOpened(), false);
  },

  async "a file with many games is listed and searched"() {
    const own = await page();
    const players = ["Sijbrands", "Wiersma", "Tsjizjov"];
    const games = Array.from({ length: 6000 }, (_, index) =>
      `[Event "Cup ${index}"]\n[White "${players[index % 3]}"]\n[Black "P${index}"]\n[Result "1-1"]\n\n`
      + "1. 32-28 19-23 2. 28x19 14x23 *\n");
    writeFileSync(`${folder}/many.pdn`, games.join("\n"));
    await own.click("#open");
    await own.setInputFiles("#open-file", `${folder}/many.pdn`);
    await own.locator("#list-note", { hasText: "6000 of 6000" }).waitFor();
    await own.fill("#list-search", "wiersma p4000");
    await own.locator("#list-note", { hasText: "1 of 6000" }).waitFor();
    await shot(own, "list");
    await own.click("#list-games button");
    await waitMoves(own, 4);
    assert.match(await own.locator("#far").innerText(), /P4000/);
  },

  async "files of DOS and UTF-16 without a mark open as the commands read them"() {
    const own = await page();
    const game = (white) => `[White "${white}"]\n[Black "B"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n`;
    const dos = (letters) => (text) =>
      Buffer.from([...text].map((c) => (c < "\x80" ? c.charCodeAt(0) : 0x80 + letters.indexOf(c))));
    const cp850 = dos("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ");
    const cp866 = dos("АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп");
    const choose = async (bytes) => {
      writeFileSync(`${folder}/encoded.pdn`, bytes);
      await own.click("#open");
      await own.setInputFiles("#open-file", `${folder}/encoded.pdn`);
    };
    for (const [name, bytes, encoding] of [
      ["André Müller", cp850(game("André Müller")), "CP850"],
      ["Élise", Buffer.from(game("Élise"), "utf16le"), ""],
    ]) {
      await choose(bytes);
      await own.locator("#near", { hasText: name }).waitFor();
      if (encoding) await own.locator(".toast", { hasText: encoding }).waitFor();
    }
    // Two parts, the second one in the encoding of the first.
    await choose(cp866(game("Иванов").repeat(7000) + game("Каменев")));
    await own.locator("#list-note", { hasText: "7001 of 7001" }).waitFor();
    await own.fill("#list-search", "каменев");
    await own.locator("#list-note", { hasText: "1 of 7001" }).waitFor();
    await own.click("#list-games button");
    await own.locator("#near", { hasText: "Каменев" }).waitFor();
    await own.locator(".toast", { hasText: "CP866" }).waitFor();
  },

  async "a position is set up by hand"() {
    const own = await page();
    await own.click("#tab-analyse");
    await push(own, "#setup");
    await own.click("#task >> text=Empty");
    // A drag paints men on its way, the first click on them again removes one.
    await own.check("input[name=put][value=w]");
    await square(own, 31).dragTo(square(own, 35));
    await own.waitForFunction(() => /31|32/.test(document.querySelector("#setup-fen").value));
    assert.ok(await own.locator('.squares [aria-label*="white man"]').count() >= 2);
    await own.click("#task >> text=Start");
    await own.waitForFunction(() => document.querySelectorAll('.squares [aria-label*="black man"]').length === 20);
    await own.fill("#setup-fen", "W:W26,26:B5");
    await own.locator("#setup-fen").press("Tab");
    await own.locator(".toast.bad", { hasText: "cannot be set up: square 26 is given twice" }).waitFor();
    await own.fill("#setup-fen", "B:W26:B5,10");
    await own.locator("#setup-fen").press("Tab");
    await own.locator('.squares [aria-label="26, white man"]').waitFor();
    await own.click("#task >> text=Mirror");
    await own.locator('.squares [aria-label="25, black man"]').waitFor();
    assert.ok(await own.isChecked("input[name=turn][value=W]"));
    await own.click("#task >> text=Empty");
    await own.check("input[name=put][value=W]");
    await clicks(own, 26);
    await own.check("input[name=put][value=B]");
    await square(own, 5).press("Enter");
    await shot(own, "setup");
    await axe(own, "setup");
    await own.click("#task .primary");
    await own.locator("#knowledge", { hasText: "Endgame tables" }).waitFor();
    assert.match(await own.locator("#knowledge").innerText(), /a draw/);
  },

  async "a line opens, its positions are seen before, and the threat is shown"() {
    const own = await page();
    await paste(own, "W:W27,28,32,33,38,42:B8,12,13,19,23,24");
    await own.locator("#engine-info", { hasText: /depth 1\d/ }).waitFor();
    const line = own.locator("#lines li").first();
    await line.locator(".badge").click();
    await own.locator("#lines li.open").waitFor();
    const [box, last] = [await line.boundingBox(), await line.locator(".move").last().boundingBox()];
    assert.ok(last.x + last.width <= box.x + box.width + 1, "the whole line is in view");
    await line.locator(".move").nth(1).hover();
    await own.locator("#preview .piece").first().waitFor();
    assert.equal((await moves(own)).length, 0, "nothing is played");
    await own.mouse.move(5, 5);
    await own.locator("#preview").waitFor({ state: "hidden" });
    await own.keyboard.press("x");
    await own.locator("#status", { hasText: /Black would play \d+[-x]\d+/ }).waitFor();
    await own.locator(".arrow.bad").waitFor({ state: "attached" });
    await own.keyboard.press("x");
    await own.locator(".arrow.bad").waitFor({ state: "detached" });
  },

  async "two persons play at one board, with a clock of their own and sounds if wanted"() {
    const own = await page();
    await own.evaluate(() => {
      globalThis.tones = 0;
      const { createOscillator } = AudioContext.prototype;
      AudioContext.prototype.createOscillator = function () {
        globalThis.tones++;
        return createOscillator.call(this);
      };
    });
    await own.click("#new");
    await own.check("input[name=side][value=both]");
    assert.ok(await own.locator("input[name=level]").first().isHidden());
    await own.check("input[name=clock][value=own]");
    await own.fill("#new-dialog input[type=number] >> nth=0", "7");
    await own.fill("#new-dialog input[type=number] >> nth=1", "3");
    await axe(own, "new game for two");
    await own.click("#new-dialog .primary");
    await own.locator("#near .time", { hasText: "7:00" }).waitFor();
    await waitStatus(own, "White to move");
    await clicks(own, 32, 28);
    await waitStatus(own, "Black to move");
    assert.equal(await own.evaluate(() => globalThis.tones), 0, "no sounds by default");
    await own.click("#options");
    await own.click("text=Sounds");
    await own.keyboard.press("Escape");
    await clicks(own, 19, 23);
    await clicks(own, 28, 19);
    await waitMoves(own, 3);
    assert.equal(await own.evaluate(() => globalThis.tones), 3, "one tone for a move, two for a capture");
    assert.equal(await own.locator("#near .men").innerText(), "20 (+1)");
    await own.click("#takeback");
    await waitStatus(own, "White to move: must capture");
    await own.click("#resign");
    await own.click("#resign");
    await waitStatus(own, "Black has won: white resigned");
    // As earlier versions stored it.
    await own.evaluate(() => {
      const key = Object.keys(localStorage).find((name) => localStorage[name].includes('"white-resigned"'));
      localStorage[key] = localStorage[key].replace('"white-resigned"', '"white resigned"');
    });
    await own.reload();
    assert.ok(await own.evaluate(() => JSON.stringify(localStorage).includes("white resigned")));
    await waitStatus(own, "Black has won: white resigned");
  },

  async "what is too long or no text is refused, and the page goes on"() {
    const own = await page();
    writeFileSync(`${folder}/long.pdn`, `1. 32-28 19-23 ${"2. 28x19 14x23 ".repeat(90_000)}`);
    writeFileSync(`${folder}/photo.pdn`, Buffer.alloc(1_500_000));
    await own.click("#open");
    await own.setInputFiles("#open-file", `${folder}/long.pdn`);
    await own.locator(".toast.bad", { hasText: "too long for one message" }).waitFor();
    await own.setInputFiles("#open-file", `${folder}/photo.pdn`);
    await own.locator(".toast.bad", { hasText: "no text" }).waitFor();
    await own.fill("#open-text", "1. 32-28 *");
    await own.click("#open-dialog .primary");
    await waitMoves(own, 1);
    assert.ok(await own.locator("#lost").isHidden());
  },

  async "what is wrong in a pasted text is said in the words of a player"() {
    const own = await page();
    for (const [text, words] of [
      ['[White "A"]\n\n1. 31-28 19-23', "This game cannot be read: 1. 31-28: "],
      ["W:W99:B1", "This position cannot be set up: 99 is no square"],
    ]) {
      await paste(own, text);
      await own.locator(".toast.bad", { hasText: words }).waitFor();
      await own.keyboard.press("Escape");
    }
  },

  async "a game with an illegal move keeps those before it"() {
    const own = await page();
    const damaged = "1. 32-28 19-23 2. 28x19 14x24 3. 37-32";
    await paste(own, damaged);
    const words = /rest is kept as a comment: 2\.\.\. 14x24: pieces move along diagonals/;
    await own.locator(".toast.bad", { hasText: words }).waitFor();
    assert.deepEqual(await moves(own), ["32-28", "19-23", "28x19"]);
    assert.match(await own.locator("#moves .comment").innerText(), /^14x24 3\. 37-32$/);
    // In a list it says so, and opens.
    await paste(own, `${GAME}\n\n[White "Eve"]\n\n${damaged} *\n\n[White "Joe"]\n\n1. 31-28 *`);
    await own.locator("#list-games li").nth(2).waitFor();
    assert.match(await own.locator("#list-games li").nth(1).innerText(), /Eve[^]*2 moves\s*2\.\.\. 14x24: /);
    assert.equal(await own.locator("#list-games li").nth(2).locator("button").count(), 0);
    await own.locator("#list-games button", { hasText: "Eve" }).click();
    await waitMoves(own, 3);
    // What is odd in a game is told without lines and characters.
    await paste(own, "1. 32-28 oops 19-23 *");
    await own.locator(".toast", { hasText: /^Words are kept as a comment: oops/ }).waitFor();
  },

  async "without storage the page plays on"() {
    const own = await page();
    await own.addInitScript(() => {
      const get = () => {
        throw new DOMException("denied", "SecurityError");
      };
      for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(globalThis, name, { get });
    });
    await own.reload();
    await begin(own);
    await clicks(own, 32, 28);
    await waitMoves(own, 2);
    await own.click("#open");
    await own.locator("#kept li", { hasText: "You" }).first().waitFor();
  },

  async "two tabs with one game keep what was changed in each"() {
    const own = await page();
    await paste(own, GAME);
    await waitMoves(own, 19);
    const other = await own.context().newPage();
    await routeAssets(other);
    await other.goto(server.url);
    await other.locator("body[data-ready]").waitFor();
    await other.click("#open");
    await other.locator("#kept button", { hasText: "Ann" }).first().click();
    await other.locator(".toast", { hasText: "another tab" }).waitFor();
    for (const [tab, words] of [[own, "of the first"], [other, "of the second"]]) {
      await tab.bringToFront();
      await tab.locator("#moves .move").first().click();
      await tab.locator("#annotate summary").click();
      await tab.fill("#comment", words);
      await tab.locator("#comment").press("Tab");
    }
    const kept = await own.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith("damier.game."))
      .map(([, text]) => JSON.parse(text).moves[0]?.comment).filter(Boolean).sort());
    assert.deepEqual(kept, ["of the first", "of the second"]);
  },

  async "a dialog closes by a click beside it, not at its edge or at the end of a selection"() {
    const own = await page();
    await own.click("#open");
    await own.fill("#open-text", "1. 32-28 19-23 and more words to select");
    const { x, y, height } = await own.locator("#open-dialog").boundingBox();
    const text = await own.locator("#open-text").boundingBox();
    await own.mouse.click(x + 5, y + height / 2);
    await own.mouse.move(text.x + 90, text.y + 15);
    await own.mouse.down();
    await own.mouse.move(x - 30, text.y + 40, { steps: 4 });
    await own.mouse.up();
    assert.ok(await own.locator("#open-dialog[open]").count());
    await own.mouse.click(x - 30, text.y + 40);
    await own.locator("#open-dialog").waitFor({ state: "hidden" });
  },

  async "copying works from a dialog where the browser has no clipboard for scripts"() {
    const own = await page({ permissions: ["clipboard-read", "clipboard-write"] });
    await own.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))));
    await own.click("#save");
    await own.click("text=Copy the position");
    await own.locator(".toast", { hasText: "Copied: the position" }).waitFor();
    assert.match(await own.evaluate(() => navigator.clipboard.readText()), /^W:W31,/);
    const focused = await own.evaluate(() => document.activeElement.textContent);
    assert.match(focused, /Copy the position/, "the focus is back");
  },

  async "a game whose time is up goes on without clocks when a move is taken back"() {
    const own = await page();
    await own.click("#new");
    await own.check("input[name=side][value=both]");
    await own.check('input[name=clock][value="3+2"]');
    await own.click("#new-dialog .primary");
    await clicks(own, 32, 28);
    await waitStatus(own, "Black to move");
    await own.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 200_000;
    });
    await waitStatus(own, "White has won: black has no time left");
    await own.click("#takeback");
    await clicks(own, 33, 28);
    await waitStatus(own, "Black to move");
    await own.waitForTimeout(300);
    await waitStatus(own, "Black to move");
  },

  async "what is deleted comes back"() {
    const own = await page();
    await paste(own, GAME);
    await own.locator("#moves .move").nth(18).waitFor();
    const before = await moves(own);
    await own.locator("#moves .move").nth(4).click();
    await own.locator("#annotate summary").click();
    await own.click("#delete");
    await own.locator(".toast", { hasText: /1\d moves deleted/ }).waitFor();
    assert.equal((await moves(own)).length, 4);
    await own.click(".toast button");
    await waitMoves(own, before.length);
    assert.deepEqual(await moves(own), before);
    await own.click(".nags button >> nth=0");
    await own.keyboard.press("Control+z");
    assert.deepEqual(await moves(own), before);
    assert.ok(await own.locator("#undo").isDisabled());
    assert.equal(await own.locator("#live").textContent(), "Undone: Marks");
    // A game deleted from the list of games.
    await own.click("#open");
    await own.click('#kept button[aria-label^="Delete Ann"]');
    await own.click(".toast button");
    await own.locator('#kept button[aria-label^="Delete Ann"]').waitFor();
  },

  async "one goes through the games of a file, all of which are listed"() {
    const own = await page();
    const games = Array.from({ length: 250 }, (_, index) =>
      `[White "W${index + 1}"]\n[Black "B"]\n\n${index === 1 ? "1. 31-28" : "1. 32-28 19-23 2. 28x19 14x23"} *\n`);
    await paste(own, games.join("\n"));
    await own.locator("#list-note", { hasText: "250 of 250" }).waitFor();
    for (let turn = 0; turn < 3; turn++) {
      await own.evaluate(() => document.querySelector("#list").scrollTo(0, 1e6));
      await own.waitForTimeout(100);
    }
    assert.equal(await own.locator("#list-games li").count(), 250);
    await own.locator("#list-games button").first().click();
    await own.locator("#near", { hasText: "W1" }).waitFor();
    await own.locator("#file-list", { hasText: "Game 1 of 250" }).waitFor();
    await own.click("#moves .move >> nth=1");
    await own.locator("#annotate summary").click();
    await own.click(".nags button >> nth=0");
    // The second game cannot be read, and is passed over.
    await own.click("#file-forth");
    await own.locator("#near", { hasText: "W3" }).waitFor();
    await own.keyboard.press("PageUp");
    await own.locator("#near", { hasText: "W1" }).waitFor();
    assert.equal((await moves(own))[1], "19-23!", "with what was changed");
    await own.click("#file-list");
    await own.locator("#list[open]").waitFor();
    // A reload keeps the list.
    await own.reload();
    await own.locator("#file-list", { hasText: "Game 1 of 250" }).waitFor();
    await own.click("#file-list");
    assert.equal(await own.locator("#list-games li").count(), 100);
    await own.keyboard.press("Escape");
    await own.keyboard.press("PageDown");
    await own.locator("#near", { hasText: "W3" }).waitFor();
    await own.keyboard.press("PageUp");
    await own.locator("#near", { hasText: "W1" }).waitFor();
    assert.equal((await moves(own))[1], "19-23!", "with what was changed");
  },

  async "the accuracy does not flatter, and says how it is worked out"() {
    const own = await page();
    await paste(own, REPORTED);
    await waitMoves(own, 7);
    await own.locator("#curve .line").first().waitFor({ state: "attached" });
    await own.click("#report");
    const row = (name) => own.locator(".report tr", { hasText: name }).locator("td").allInnerTexts();
    await own.locator(".report").waitFor();
    // White's last move was made in a lost position, 32-28, 33-29 and 23x32 are of the book; those with a mark count.
    assert.deepEqual(await row("Moves that count"), ["1 of 4", "1 of 3"]);
    assert.deepEqual(await row("??"), ["1", "0"]);
    assert.deepEqual(await row("?!"), ["0", "1"]);
    const [white, black] = (await row("Accuracy")).map((text) => parseInt(text, 10));
    assert.ok(white < 80 && black > 80, `${white}, ${black}`);
    await own.click("#task summary");
    await own.locator("#task", { hasText: "Moves in decided positions do not count" }).waitFor();
    await shot(own, "report");
    await axe(own, "report");
  },

  async "a glance of the engine does not replace the evaluations of a game"() {
    const own = await page();
    // The engine's first values, which are wrong, and nothing after them.
    await own.routeWebSocket(/\/ws/, (socket) => socket.connectToServer().onMessage((text) => {
      const message = JSON.parse(text);
      if (["info", "best"].includes(message.type)) {
        message.nodes = 1000;
        for (const line of message.lines) line.points = 0.9;
      }
      socket.send(JSON.stringify(message));
    }));
    await own.reload();
    await own.locator("body[data-ready]").waitFor();
    await paste(own, REPORTED);
    await waitMoves(own, 7);
    const curve = () => own.locator("#curve .line").first().getAttribute("points");
    await own.locator("#curve .line").first().waitFor({ state: "attached" });
    await own.locator("#lines .badge").first().waitFor();
    const before = (await curve()).split(" ").slice(-7);
    for (let ply = 0; ply < 7; ply++) {
      await own.click("#forth");
      await own.locator("#lines:not(.old) .badge").first().waitFor();
    }
    assert.deepEqual((await curve()).split(" ").slice(-7), before);
  },

  async "headers are shown and edited"() {
    const own = await page();
    await paste(own, '[White "Ann"]\n[Black "Bob"]\n[Event "Club"]\n[Date "2026.11.28"]\n[Round "3"]\n[Result "2-0"]\n\n1. 32-28 *');
    await own.locator(".about", { hasText: "Club · 2026.11.28 · round 3 · 2-0" }).waitFor();
    await own.click("#details");
    await own.fill("#tag-White", "Anna");
    await own.fill("#tag-Round", "");
    await own.selectOption("#tag-Result", "1-1");
    await axe(own, "details");
    await own.click("#details-dialog .primary");
    await own.locator("#near", { hasText: "Anna" }).waitFor();
    await own.click("#save");
    const [file] = await Promise.all([own.waitForEvent("download"), own.click("text=Save the game as a file")]);
    const saved = readFileSync(await file.path(), "utf8");
    assert.ok(saved.includes('[White "Anna"]') && saved.includes('[Result "1-1"]') && !saved.includes("[Round"), saved);
  },

  async "a game goes out as a link, a picture and on paper"() {
    const own = await page({ permissions: ["clipboard-read", "clipboard-write"] });
    await paste(own, GAME);
    await own.locator("#moves .move").nth(18).waitFor();
    const before = await moves(own);
    await own.click("#save");
    await own.click("text=Copy a link");
    await own.locator(".toast", { hasText: "Copied: the link" }).waitFor();
    const link = await own.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#.*game=[\w-]+$/);
    const other = await open(browser, link);
    pages.push(other);
    await waitMoves(other, before.length);
    assert.deepEqual(await moves(other), before);
    assert.ok(!other.url().includes("game="), "a reload keeps what was changed since");
    const [file] = await Promise.all([own.waitForEvent("download"), own.click("text=Save a picture")]);
    const bytes = readFileSync(await file.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    writeFileSync(`${folder}/picture.png`, bytes);
    await own.keyboard.press("Escape");
    await own.emulateMedia({ media: "print" });
    for (const gone of ["header", "#bar", "#engine"]) assert.ok(await own.locator(gone).isHidden(), gone);
    for (const there of ["#board", "#moves", "#far"]) assert.ok(await own.locator(there).isVisible(), there);
    await own.screenshot({ path: `${folder}/print.png`, fullPage: true });
    const broken = await open(browser, `${link.slice(0, -9)}x`);
    pages.push(broken);
    await broken.locator(".toast.bad", { hasText: "cannot be read: part of the link is missing" }).waitFor();
  },

  async "a match is watched"() {
    const file = `${folder}/match.pdn`;
    const game = (white, black, result, round) =>
      `[White "${white}"]\n[Black "${black}"]\n[Round "${round}"]\n[Result "${result}"]\n\n1. 32-28 19-23 *\n\n`;
    writeFileSync(file, game("New", "Old", "2-0", 1) + game("Old", "New", "1-1", 2)
      + game("A program with a long name 3.1", "New", "2-0", 4));
    const watching = await serve(binary, ["--watch", file]);
    const own = await open(browser, watching.url);
    pages.push(own);
    // The address ends in #match: the dialog is there at once.
    await own.locator("#match-table tbody tr").nth(1).waitFor();
    assert.match(await own.locator("#match-table tbody tr").nth(1).innerText(), /2\. New/);
    writeFileSync(file, readFileSync(file, "utf8") + game("New", "Old", "1-1", 3));
    await own.locator("#match-games li").nth(3).waitFor();
    assert.ok(await own.locator("#match-earlier").isHidden());
    const live = (moves, score) => writeFileSync(`${file}.live`, JSON.stringify({
      damier_live: 1, played: 3, total: 20,
      games: [{ game: 4, white: "Old", black: "New", start: "W:W31-50:B1-20", moves, scores: [score, null],
        clocks: [58, 60], thinking: 1 }],
    }));
    live(["32-28"], 0.12);
    await own.locator("#live-games .seat.turn", { hasText: "New" }).waitFor();
    live(["32-28", "19-23"], 0.12);
    await own.locator("#live-games .seat.turn", { hasText: "Old" }).waitFor();
    await own.locator("#live-games", { hasText: /\+0\.12/ }).waitFor();
    assert.match(await own.locator("#live-games").innerText(), /\+0\.12 · 0:5\d/);
    assert.match(await own.locator("#match-note").innerText(), /3 of 20/);
    await shot(own, "match");
    await axe(own, "match");
    // A live game is followed on a large board, and no copy is opened.
    await own.locator("#live-games button").first().click();
    await own.locator("#live-games .large").waitFor();
    live(["32-28", "19-23", "28x19"], 0.2);
    await own.locator("#live-games .large .seat.turn", { hasText: "New" }).waitFor();
    await axe(own, "match, followed");
    // On a phone nothing of the table is cut.
    const phone = await open(browser, watching.url, { viewport: { width: 390, height: 664 }, isMobile: true, hasTouch: true });
    pages.push(phone);
    await phone.locator("#match-table tbody tr").nth(2).waitFor();
    await shot(phone, "match-phone");
    const over = await phone.locator(".scroll").evaluate((box) => box.scrollWidth - box.clientWidth);
    assert.ok(over <= 0, `the cross table is ${over} pixels too wide`);
    assert.deepEqual(await phone.evaluate(faults, 44), []);
    // A followed game is seen whole, and the dialog can be closed.
    for (const [width, height] of [[390, 664], [844, 390]]) {
      await phone.setViewportSize({ width, height });
      await phone.locator("#live-games button").first().tap();
      await shot(phone, `match-followed-${width}x${height}`);
      const { y, height: size } = await phone.locator("#live-games .large button").first().boundingBox();
      assert.ok(y >= 46 && y + size <= height, `${y}, ${size}`);
      assert.deepEqual(await phone.evaluate(faults, 44), []);
      await phone.locator("#live-games button").first().tap();
    }
    // After its end it stays until it is closed.
    writeFileSync(file, readFileSync(file, "utf8") + game("Old", "New", "0-2", 4).replace(" *", " 2. 28x19 14x23 *"));
    rmSync(`${file}.live`);
    await own.locator("#live-games .large small", { hasText: "Game 4, 0-2" }).waitFor();
    await shot(own, "match-ended");
    await axe(own, "match, ended");
    await own.locator("#live-games button").first().click();
    await own.locator("#live-title").waitFor({ state: "hidden" });
    // All games of a long match can be had.
    const more = Array.from({ length: 45 }, (_, index) => game("New", "Old", "1-1", index + 5));
    writeFileSync(file, readFileSync(file, "utf8") + more.join(""));
    for (const count of [40, 50]) {
      await own.locator("#match-earlier").click();
      await own.locator("#match-games li").nth(count - 1).waitFor();
    }
    assert.ok(await own.locator("#match-earlier").isHidden());
    await own.locator("#match-games button").first().click();
    await waitMoves(own, 2);
    await watching.end();
    // The message is above the dialog.
    await phone.locator("#lost").waitFor();
    assert.ok(await phone.evaluate(() => document.querySelector("#lost").matches(":popover-open")));
    await shot(phone, "match-lost");
    for (const other of [own, phone]) other.faults = other.faults.filter((text) => !text.includes("WebSocket"));
    await own.context().close();
  },

  async "an analysis stops while one watches a match"() {
    writeFileSync(`${folder}/watched.pdn`, "1. 32-28 *\n");
    const watching = await serve(binary, ["--watch", `${folder}/watched.pdn`]);
    const own = await open(browser, watching.url.replace(/#.*/, ""));
    pages.push(own);
    const asked = [];
    own.on("websocket", (socket) => socket.on("framesent", ({ payload }) => asked.push(JSON.parse(payload).type)));
    await paste(own, GAME);
    await own.locator("#lines li").first().waitFor();
    await own.goto("about:blank");
    await own.goto(watching.url);
    await own.locator("#match-dialog[open]").waitFor();
    await own.locator("#far", { hasText: "Bob" }).waitFor();
    await own.waitForTimeout(500);
    assert.ok(asked.includes("match") && !asked.includes("analyse"), asked.join(" "));
    await own.keyboard.press("Escape");
    await own.locator("#lines li").first().waitFor();
    asked.length = 0;
    await own.click("#match");
    await own.locator("#engine-info", { hasText: "off" }).waitFor();
    assert.ok(asked.includes("stop"), asked.join(" "));
    await own.context().close();
    await watching.end();
  },

  async "keyboard only"() {
    const own = await page();
    await begin(own);
    await square(own, 28).focus();
    // 28 -> 32 below it, which is chosen; then back up to 28.
    await own.keyboard.press("ArrowDown");
    const now = await own.evaluate(() => Number(document.activeElement.dataset.square));
    assert.equal(now, 33);
    await own.keyboard.press("Enter");
    assert.match(await own.evaluate(() => document.activeElement.getAttribute("aria-label")), /picked/);
    await own.keyboard.press("ArrowUp");
    await own.keyboard.press("Enter");
    await waitMoves(own, 2);
    assert.equal((await moves(own))[0], "33-28");
    await own.locator("#live", { hasText: /(White|Black): \d+ (to|takes)/ }).waitFor({ state: "attached" });
    await own.focus("#typed-move");
    await own.keyboard.type("rubbish");
    await own.keyboard.press("Enter");
    await own.locator(".toast.bad").waitFor();
  },

  async "two pages play two games, and a reload keeps each"() {
    const [first, second] = [await page(), await page()];
    for (const own of [first, second]) {
      await begin(own);
      await clicks(own, 31, 27);
      await waitMoves(own, 2);
      await waitStatus(own, "Your move");
      const before = await moves(own);
      await own.reload();
      await waitMoves(own, 2);
      assert.deepEqual(await moves(own), before);
    }
  },

  async "a server that is killed takes nothing along"() {
    const own = await page();
    await begin(own);
    await clicks(own, 32, 28);
    await waitMoves(own, 2);
    await waitStatus(own, "Your move");
    const before = await moves(own);
    const { port } = server;
    await server.end("SIGKILL");
    await own.locator("#lost").waitFor();
    await shot(own, "lost");
    // No button is covered.
    for (const button of ["#options", "#save"]) {
      await own.click(button);
      await own.keyboard.press("Escape");
    }
    await own.locator(".squares .can").first().click();
    await own.locator('.squares [aria-label*="target"]').first().click();
    server = await serve(binary, [], port);
    await own.locator("#lost").waitFor({ state: "hidden" });
    await waitMoves(own, before.length + 2);
    assert.deepEqual((await moves(own)).slice(0, 2), before);
    await own.reload();
    await waitMoves(own, 4);
    own.faults.length = 0; // The browser says that it could not connect.
    for (const other of pages) other.faults = other.faults.filter((text) => !text.includes("WebSocket"));
  },

  async "every screen fits five sizes without scrolling, and a finger finds every button"() {
    for (const [width, height] of SIZES) {
      const hasTouch = width !== 1366;
      const own = await page({ viewport: { width, height }, hasTouch, isMobile: hasTouch });
      const name = `${width}x${height}`;
      const fits = async (screen) => {
        await shot(own, `${name}-${screen}`);
        assert.deepEqual(await own.evaluate(faults, hasTouch ? 44 : 24), [], `${name} ${screen}`);
        // One size of each layout.
        if ([664, 390, 768].includes(height)) await axe(own, `${name} ${screen}`);
      };
      await fits("play");
      await own.click("#resign");
      await own.click("#resign");
      await own.locator("#task .primary").waitFor();
      await fits("over");
      const below = await own.locator("#middle").evaluate((box) => box.scrollHeight - box.clientHeight);
      assert.ok(below <= 0, `${name}: ${below} pixels below the end of a game`);
      await own.keyboard.press("n");
      await own.click("#new-dialog .primary");
      await own.locator(".squares .can").first().waitFor();
      if (hasTouch) {
        await drag(own, 32, 28);
        await waitMoves(own, 1);
        assert.equal((await moves(own))[0], "32-28");
      }
      await paste(own, GAME);
      await own.locator("#far .who", { hasText: "Bob" }).waitFor({ state: "attached" });
      await own.locator("#lines li").nth(1).waitFor();
      await fits("analyse");
      const board = await own.locator("#board").boundingBox();
      if (width > height && hasTouch) assert.ok(board.height === height, "the board has the full height");
      if (await own.locator("#more").isVisible()) {
        await own.tap("#more");
        await fits("more");
        await own.keyboard.press("Escape");
      }
      const press = (button) => own.locator(button).evaluate((found) => found.click());
      for (const dialog of ["new", "open", "save", "options", "help", "details"]) {
        await press(`#${dialog}`);
        await fits(dialog);
        await own.keyboard.press("Escape");
      }
      await own.locator("#setup").evaluate((button) => button.click());
      await own.locator("#setup-fen").waitFor();
      await fits("setup");
      await own.click("#task >> text=Cancel");
      await paste(own, LESSON);
      await own.locator("#learn").waitFor();
      await own.click("#learn");
      await own.locator("#task", { hasText: "Find a better move" }).waitFor();
      await fits("learn");
      await own.click("#task >> text=Close");
      await press("#puzzles");
      await own.locator("#puzzles-dialog[open]").waitFor();
      await fits("puzzles");
      await press("#puzzles-dialog .primary");
      await own.locator("#task", { hasText: "Find the best move" }).waitFor();
      await fits("puzzle");
      await own.click("#task >> text=Show it");
      await fits("puzzle-end");
      await own.click("#task >> text=Close");
      await paste(own, REPORTED);
      await own.locator("#report").waitFor();
      await own.click("#report");
      await own.locator(".report").waitFor();
      await fits("report");
      await own.click("#task >> text=Close");
      await paste(own, "W:WK46:B41,31,27,17");
      await own.locator(".must").first().waitFor();
      await square(own, 46).click();
      await own.locator("#lines li").first().waitFor();
      await fits("capture");
      await paste(own, `${GAME}\n\n${REPORTED}`);
      await own.locator("#list[open]").waitFor();
      await fits("list");
      await own.keyboard.press("Escape");
      await own.evaluate(() => document.querySelectorAll(".toast").forEach((toast) => toast.remove()));
      // No message covers the board.
      await own.locator("#copy-fen").evaluate((button) => button.click());
      const toast = await own.locator(".toast").first().boundingBox();
      const isBeside = toast.x >= board.x + board.width || toast.y >= board.y + board.height;
      assert.ok(isBeside, `${name}: the message covers the board`);
    }
  },

  async "on a phone an analysis needs no scrolling"() {
    for (const [width, height] of [[390, 664], [844, 390]]) {
      const own = await page({ viewport: { width, height }, hasTouch: true, isMobile: true });
      const judged = GAME.replaceAll(" 5. ", " {[%eval 0.4]} 5. ").replace("18-23", "18-23 {[%eval 0.1]}");
      await paste(own, `${judged}\n\n${GAME}`);
      await own.locator("#list-games button").first().tap();
      await own.locator("#lines .badge").nth(1).waitFor();
      await own.locator("#knowledge p").first().waitFor({ state: "attached" });
      const scrolls = () => [...document.querySelectorAll("#middle, #sheet, #knowledge, #look, dialog")]
        .filter((box) => box.checkVisibility() && box.scrollHeight > box.clientHeight + 1).map((box) => box.id);
      const fits = async (name, ...shown) => {
        await shot(own, `view-${width}-${name}`);
        for (const part of shown) assert.ok(await own.locator(part).isVisible(), `${name}: ${part}`);
        assert.deepEqual(await own.evaluate(scrolls), [], `${width} ${name}`);
        assert.deepEqual(await own.evaluate(faults, 44), [], `${width} ${name}`);
      };
      await fits("lines", "#lines");
      await own.selectOption("#view", "knowledge");
      await fits("knowledge", "#knowledge");
      await axe(own, "knowledge");
      await own.selectOption("#view", "curve");
      await fits("curve", "#curve");
      await own.tap("#more");
      await fits("sheet", "#file-nav", "#typed", "#undo");
      await own.tap("#annotate summary");
      await fits("comment", "#comment", "#delete");
      await own.tap("#annotate summary");
      await own.tap("#play-here");
      await own.check("input[name=clock][value=own]", { force: true });
      await own.locator("input[name=level]").last().check({ force: true });
      await fits("play-here", "#new-note", "#ladder", "#new-dialog .primary");
      await own.keyboard.press("Escape");
      await paste(own, "W:WK5,K7:BK1,K26");
      await own.locator("#knowledge p").nth(1).waitFor({ state: "attached" });
      await own.selectOption("#view", "knowledge");
      await own.locator("#chances", { hasText: /moves hold/ }).waitFor();
      await fits("tables", "#chances", "#knowledge");
    }
  },

  async "names of any length leave the rest in its place"() {
    const name = "Wolfeschlegelsteinhausenbergerdorff van den Bovenkerk ".repeat(5);
    for (const [width, height] of [[390, 664], [844, 390], [1366, 768]]) {
      const hasTouch = width !== 1366;
      const own = await page({ viewport: { width, height }, hasTouch, isMobile: hasTouch });
      const fits = async (screen) => {
        await shot(own, `names-${width}-${screen}`);
        assert.deepEqual(await own.evaluate(faults, hasTouch ? 44 : 24), [], `${width} ${screen}`);
      };
      await paste(own, REPORTED.replace("Ann", name).replace("Bob", "B".repeat(300)));
      await own.locator("#report").waitFor();
      await fits("analyse");
      await own.click("#report");
      await own.locator(".report").waitFor();
      await fits("report");
      const over = await own.locator("#task").evaluate((box) => box.scrollWidth - box.clientWidth);
      assert.ok(over <= 0, `the report is ${over} pixels too wide`);
      if (!hasTouch) continue;
      await own.locator("#task summary").click();
      await fits("explained");
      const below = await own.locator("#task").evaluate((box) => box.scrollHeight - box.clientHeight);
      assert.ok(below <= 0, `the explanation is ${below} pixels too high`);
      await own.locator("#task button").last().click();
      await own.click("#open");
      await own.locator("#kept button").nth(1).waitFor();
      await fits("open");
    }
  },

  async "phone, light and dark: everything fits, and axe finds nothing"() {
    const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
    for (const [name, options] of [["phone", phone], ["desktop", {}]]) {
      for (const colorScheme of ["light", "dark"]) {
        const own = await page({ ...options, colorScheme });
        await begin(own);
        await (name === "phone" ? square(own, 32).tap() : square(own, 32).click());
        await (name === "phone" ? square(own, 28).tap() : square(own, 28).click());
        await waitMoves(own, 2);
        await waitStatus(own, "Your move");
        await shot(own, `${name}-${colorScheme}`);
        const over = (await own.evaluate(() => document.documentElement.scrollWidth)) - own.viewportSize().width;
        assert.ok(over <= 0, `${name}: ${over} pixels too wide`);
        await axe(own, `${name} ${colorScheme}`);
        await own.click("#tab-analyse");
        await own.locator("#chances").waitFor();
        await axe(own, `${name} ${colorScheme} analysis`);
        if (name === "phone") await shot(own, `${name}-${colorScheme}-analysis`);
        await own.click("#tab-play");
        for (const dialog of ["new", "open", "save", "options", ...(name === "phone" ? [] : ["help"])]) {
          await own.click(`#${dialog}`);
          await axe(own, `${name} ${colorScheme} ${dialog}`);
          if (colorScheme === "light") await shot(own, `${name}-${dialog}`);
          await own.keyboard.press("Escape");
        }
      }
    }
  },
};

let failed = 0;
const wanted = process.env.ONLY;
for (const [name, check] of Object.entries(checks)) {
  if (wanted && !wanted.split("|").some((part) => name.includes(part))) continue;
  const began = Date.now();
  try {
    await check();
    const faults = pages.flatMap((page) => page.faults);
    assert.deepEqual(faults, [], "the console is free of errors");
    console.log(`ok      ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
    const last = pages[pages.length - 1];
    if (last) await shot(last, `failed-${failed}`).catch(() => {});
  }
  for (const page of pages.splice(0)) await page.context().close();
}
await browser.close();
await server.end();
console.log(failed ? `${failed} failed; see ${folder}` : `all is well; screenshots in ${folder}`);
process.exit(failed ? 1 : 0);
