// The base of games and the collections of the page, in a real browser: node base.mjs BINARY [FOLDER FOR SCREENSHOTS]

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { axe, faults, launch, moves, open, serve } from "./lib.mjs";

const [binary, folder = "target/browser"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const place = mkdtempSync(`${tmpdir()}/damier-base-`);

const LINES = ["32-28 19-23 28x19 14x23", "33-28 19-23 28x19 14x23", "32-28 18-22 37-32 12-18"];
const game = (index) => `[White "Player ${index}"]\n[Black "${index % 2 ? "Raphaël" : "Sijbrands, T."}"]\n[Event "Club"]\n`
  + `[Date "${1960 + index}.05.01"]\n[Result "${["2-0", "1-1", "0-2"][index % 3]}"]\n\n${LINES[index % 3]} *\n\n`;
const file = (count, from = 0) => Array.from({ length: count }, (_, index) => game(from + index)).join("");
const at = (name, text) => {
  writeFileSync(`${place}/${name}`, text);
  return `${place}/${name}`;
};
const base = `${place}/my.games`;
execFileSync(binary, ["games", "import", at("club.pdn", file(60)), "--base", base]);

const browser = await launch();
const served = await serve(binary, ["--base", base]);
const plain = await serve(binary);
const shot = (page, name) => page.screenshot({ path: `${folder}/base-${name}.png` });
const found = (page, text) => page.locator("#base-note", { hasText: text }).waitFor();
const read = async (page, path) => {
  await page.click("#open");
  await page.setInputFiles("#open-file", path);
  await page.locator("#list[open]").waitFor();
};
const search = async (page, values) => {
  for (const name of ["players", "event", "from", "to", "opening", "material"]) {
    const field = page.locator(`#base-${name}`);
    if (await field.isEnabled()) await field.fill(values[name] ?? "");
  }
  await page.selectOption("#base-result", values.result ?? "");
  await page.setChecked("#base-dialog [name=here]", Boolean(values.here));
  await page.locator("#base-dialog .primary").press("Enter");
};

/** The explorer, the search and the games of the base. */
async function inBase(page) {
  await page.click("#tab-analyse");
  await page.locator("#explorer button", { hasText: "60" }).waitFor();
  assert.match(await page.locator("#explorer").innerText(), /32-28\s*40\s*33-28\s*20/);
  await page.locator("#explorer button", { hasText: "32-28" }).press("Enter");
  await page.locator("#explorer button", { hasText: "18-22" }).waitFor();
  assert.deepEqual(await moves(page), ["32-28"]);
  await shot(page, "explorer");
  await axe(page, "explorer");
  // The games of this position, and by fields.
  await page.locator("#explorer button").first().press("Enter");
  await found(page, "40 of 40 games in my.games");
  await page.keyboard.press("Escape");
  await page.locator("body").press("g");
  await found(page, "50 of 60");
  await page.locator("#base-more button").press("Enter");
  await found(page, "60 of 60");
  for (const [values, count] of [
    [{ players: "raphael", result: "2-0" }, 10], [{ from: "1970", to: "1979.12" }, 10], [{ event: "club", result: "1-1" }, 20],
    [{ opening: "32-28 19-23" }, 20], [{ material: "20x20" }, 60], [{ here: true, players: "sijbrands" }, 20],
    [{ players: "sijbrands; player 2" }, 10],
  ]) {
    await search(page, values);
    await found(page, new RegExp(`^${count > 50 ? 50 : count} of ${count} `));
  }
  await search(page, { from: "yesterday" });
  await page.locator(".toast.bad", { hasText: "date: expected a date" }).waitFor();
  await search(page, {});
  await found(page, "50 of 60");
  await shot(page, "search");
  await axe(page, "search");
  await page.locator("#base-games button").nth(49).press("Enter");
  await page.locator("#file-list", { hasText: "Game 50 of 60" }).waitFor();
  // The next one is not listed yet.
  await page.locator("#file-forth").press("Enter");
  await page.locator("#file-list", { hasText: "Game 51 of 60" }).waitFor();
  await page.locator("#file-back").press("Enter");
  await page.locator("#file-list", { hasText: "Game 50 of 60 · my.games" }).waitFor();
  assert.equal((await moves(page)).length, 4);
  // A game is found where its position was.
  await page.locator("#last").press("Enter");
  await page.locator("#explorer button", { hasText: "Games: " }).first().press("Enter");
  await page.locator("#base-games button").first().press("Enter");
  await page.locator("#moves .move").nth(3).and(page.locator("[aria-current]")).waitFor();
}

/** A file is added to the base, if one asks for it, and so is the game on the board. */
async function adding(page) {
  await read(page, at("more.pdn", file(65)));
  await page.click("#list-add");
  await page.locator(".toast", { hasText: "Added: 5; known: 60; unreadable: 0" }).waitFor();
  await page.locator("#list-games button").first().click();
  await page.click("#add");
  await page.locator(".toast", { hasText: "Added: 0; known: 1" }).waitFor();
  // The file is a collection of the base, to search in and to go through.
  await read(page, at("few.pdn", file(3, 10)));
  await page.click("#list-add");
  await page.locator(".toast", { hasText: "Added: 0; known: 3" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("body").press("g");
  await found(page, "50 of 65");
  await page.selectOption("#base-collection", "few.pdn");
  await search(page, { players: "player" });
  await found(page, "3 of 3");
  await page.locator("#base-games button").nth(1).press("Enter");
  await page.locator("#file-list", { hasText: "Game 2 of 3" }).waitFor();
  await page.locator("#file-forth").press("Enter");
  await page.locator("#file-list", { hasText: "Game 3 of 3" }).waitFor();
  assert.ok(await page.locator("#file-forth").isDisabled());
}

/** Without a base: files that were opened stay, and are searched. */
async function collections(page) {
  assert.ok(await page.locator("#explorer").isHidden());
  await read(page, at("club.pdn", file(60)));
  assert.ok(await page.locator("#list-add").isHidden());
  await page.keyboard.press("Escape");
  await page.reload();
  await page.locator("body[data-ready]").waitFor();
  await page.click("#open");
  await page.click("#collections >> text=club.pdn");
  await found(page, "50 of 60 games in club.pdn");
  assert.ok(await page.locator("#base-material").isDisabled());
  for (const [values, count] of [
    [{ players: "raphael", result: "2-0" }, 10], [{ from: "1970", to: "1979.12" }, 10], [{ event: "club", result: "1-1" }, 20],
    [{ opening: "1. 32-28 19-23" }, 20], [{ here: true }, 60], [{ players: "sijbrands; player 2" }, 10],
  ]) {
    await search(page, values);
    await found(page, new RegExp(`^${count > 50 ? 50 : count} of ${count} `));
  }
  await shot(page, "collection");
  await page.locator("#base-games button").nth(1).press("Enter");
  await page.locator("#file-list", { hasText: "Game 2 of 10 · club.pdn" }).waitFor();
  // The position on the board, which the server looks for.
  await page.locator("#last").press("Enter");
  await page.locator("#file-list").press("Enter");
  await search(page, { here: true });
  await found(page, /^\d+ of [234]0 /);
  await page.keyboard.press("Escape");
  await page.click("#open");
  await page.click("#collections .icon");
  await page.locator("#collections li").waitFor({ state: "detached" });
  await page.click(".toast button");
  await page.locator("#collections", { hasText: "club.pdn" }).waitFor();
  await page.keyboard.press("Escape");
  // What is too large is not kept, and that is told.
  await read(page, at("large.pdn", `[White "A"]\n\n1. 32-28 {${"long ".repeat(60_000)}} *\n\n`.repeat(35)));
  await page.locator(".toast", { hasText: "large.pdn is not kept" }).waitFor();
}

/** Nothing is cut or out of reach on phones, in all languages. */
async function small() {
  for (const locale of ["en", "nl", "fr", "de", "ru"]) {
    for (const [width, height] of [[390, 664], [844, 390]]) {
      const options = { viewport: { width, height }, isMobile: true, hasTouch: true, locale: `${locale}-XX` };
      const page = await open(browser, served.url, options);
      const fits = async (screen) => {
        await shot(page, `${locale}-${width}-${screen}`);
        assert.deepEqual(await page.evaluate(faults, 44), [], `${locale} ${width}x${height} ${screen}`);
      };
      await page.tap("#tab-analyse");
      await page.locator("#explorer span").nth(1).waitFor();
      await fits("explorer");
      for (const part of ["open", "more"]) {
        await page.locator(`#${part}`).tap();
        await fits(part);
        await page.keyboard.press("Escape");
      }
      await page.locator("#explorer button").first().tap();
      await page.locator("#base-games li").nth(3).waitFor();
      await fits("search");
      if (locale === "en") await axe(page, `search ${width}`);
      await page.keyboard.press("Escape");
      await page.locator("#explorer span button").first().tap();
      await page.locator("#strip .move").first().waitFor();
      assert.deepEqual(page.faults, [], "the console");
      await page.context().close();
    }
  }
}

for (const [check, url] of [[inBase, served.url], [adding, served.url], [collections, plain.url]]) {
  const page = await open(browser, url);
  try {
    await check(page);
    assert.deepEqual(page.faults, [], "the console is free of errors");
  } catch (error) {
    await shot(page, "failed");
    throw error;
  }
  await page.context().close();
}
await small();
await browser.close();
await served.end();
await plain.end();
rmSync(place, { recursive: true });
console.log("the base of games: search, explorer, adding, collections");
process.exit(0);
