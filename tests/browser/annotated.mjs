// The page of `annotate --html` in a real browser: node annotated.mjs BINARY [FOLDER FOR SCREENSHOTS [GAMES.pdn]]

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./lib.mjs";

const [binary, folder = "target/browser", games] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const work = mkdtempSync(join(tmpdir(), "annotated-"));
process.once("exit", () => rmSync(work, { recursive: true, force: true }));

const BAD = "<script>document.title = 'broken'</script>";
const GAMES = `[Event "Club ${BAD}"]\n[White "Ann ${BAD}"]\n[Black "Гецко \\"Bob\\""]\n[Result "2-0"]\n\n`
  + "{Before} 1. 32-28 18-23 2. 34-30 (2. 33-29 {usual} 23x32 3. 37x28 (3. 38x27) 12-18) 23x32 3. 37x28 20-25 4. 40-34 14-20 "
  + `5. 44-40 12-18 6. 30-24 {${BAD}} 20x29 7. 34x21 16x27 8. 31x22 2-0\n\n`
  + "[White \"C\"]\n[Black \"D\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 16-21 4. 32-28 23x32 5. 38x16 *\n";

writeFileSync(join(work, "games.pdn"), GAMES);
const html = join(work, "page.html");
const common = ["--nodes", "2000", "--no-book", "--tt-size", "16", "--html", html];
execFileSync(binary, ["annotate", games ?? join(work, "games.pdn"), ...common], { stdio: "ignore" });

const browser = await launch();
const widths = { phone: 360, tablet: 768, desktop: 1280 };
for (const [device, width] of Object.entries(widths))
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, offline: true });
    const page = await context.newPage();
    const faults = [];
    page.on("console", (message) => faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) faults.push(`asks for ${request.url()}`);
    });
    await page.goto(pathToFileURL(html).href);
    assert.match(await page.title(), /^\d+ games$/);
    const article = page.locator("article").first();
    // Every piece of the start stands; the arrow key and a click on a move and on the curve lead on.
    assert.equal(await article.locator(".board circle").count(), 80);
    await article.locator(".mv").first().click();
    await page.keyboard.press("ArrowRight");
    await article.locator(".mv.now[data-at='2']").waitFor();
    if (!games) {
      // Out of a variation inside another, move by move.
      const now = article.locator(".mv.now");
      await article.locator(".variation .variation .mv", { hasText: "38x27" }).click();
      for (const move of ["23x32", "33-29", "18-23"]) {
        await page.keyboard.press("ArrowLeft");
        assert.equal(await now.innerText(), move);
      }
      assert.equal(await article.locator(".board circle").count(), 80);
    }
    await article.locator(".curve").click();
    await article.locator(".mv.now").waitFor();
    const moment = article.locator(".mv.blunder, .mv.mistake, .mv.dubious").first();
    await moment.click();
    assert.match(await article.locator(".state").innerText(), /gave away \d+ % of a win/);
    const inside = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    assert.ok(inside, `${device}: wider than the screen`);
    await page.screenshot({ path: join(folder, `annotated-${device}-${colorScheme}.png`), fullPage: device === "phone" });
    // On paper: each moment and the end with a diagram, the moves, no buttons and no board to step through; black on
    // white.
    await page.emulateMedia({ media: "print", colorScheme });
    const marked = await article.locator(".mv.blunder, .mv.mistake, .mv.dubious").count();
    assert.equal(await article.locator("figure:visible").count(), Math.min(marked, 12) + 1);
    assert.ok(await article.locator(".moves").isVisible());
    assert.equal(await article.locator(".controls, .board").locator("visible=true").count(), 0);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(paper, "rgb(255, 255, 255)");
    assert.equal(await moment.evaluate((move) => getComputedStyle(move).color), "rgb(0, 0, 0)");
    if (device === "desktop") {
      await page.emulateMedia({ media: null, colorScheme });
      await page.pdf({ path: join(folder, `annotated-${colorScheme}.pdf`), format: "A4", preferCSSPageSize: true });
    }
    assert.deepEqual(faults, [], `${device}, ${colorScheme}`);
    await context.close();
  }
await browser.close();
console.log("the page of annotate: well in 3 widths, dark and light, and on paper");
