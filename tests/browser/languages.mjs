// The languages of the page: node languages.mjs BINARY [FOLDER FOR SCREENSHOTS]
// Every key has a text in each language and is used; every text fits its button.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { GAME, LESSON, axe, faults, launch, open, paste, serve } from "./lib.mjs";

const [binary, folder = "target/browser"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const assets = new URL("../../crates/web/src/assets/", import.meta.url);
const codes = readdirSync(new URL("lang/", assets)).map((name) => name.replace(".js", ""));
const files = Object.fromEntries(await Promise.all(codes.map(async (code) =>
  [code, (await import(new URL(`lang/${code}.js`, assets))).default])));
const sources = readdirSync(assets).filter((name) => /\.(js|html)$/.test(name))
  .map((name) => readFileSync(new URL(name, assets), "utf8")).join("\n");

const FORM = /\.(zero|one|two|few|many|other)$/;
const base = (key) => key.replace(FORM, "");
const keysOf = (words) => [...new Set(Object.keys(words).map(base))].sort();
const valuesOf = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join(" ");

// The keys that the page asks for: texts, and texts with a count.
const counted = new Set([...sources.matchAll(/\bn\(\s*"([^"]+)"/g)].map(([, key]) => key));
const literals = new Set([...sources.matchAll(/"([^"\s]+)"/g)].map(([, key]) => key));
const asked = [...sources.matchAll(/\bt\(\s*"([^"]+)"|data-t[\w-]*="([^"]+)"/g)].map(([, key, other]) => key ?? other);

// What the server says of a game that is over is translated.
const rust = (path) => readFileSync(new URL(`../../crates/${path}`, import.meta.url), "utf8");
const reasons = rust("web/src/rules.rs").match(/fn reason_code[^]*?\n}/)[0].matchAll(/Some\("([a-z-]+)"\)/g);
const ends = [...reasons].map(([, code]) => code);
assert.equal(ends.length, 6);

const { en } = files;
for (const code of ends) assert.ok(`reason.${code}` in en, `no text for ${code}`);
for (const key of asked) assert.ok(key in en, `no text for ${key}`);
for (const key of keysOf(en)) assert.ok(literals.has(key), `${key} is not used`);
for (const key of counted) assert.ok(`${key}.other` in en, `no forms of ${key}`);
for (const [code, words] of Object.entries(files)) {
  assert.deepEqual(keysOf(words), keysOf(en), `keys of ${code}`);
  const rules = new Intl.PluralRules(code);
  const forms = [...new Set(Array.from({ length: 200 }, (_, count) => rules.select(count + 1)))].sort();
  for (const key of counted) {
    const names = Object.keys(words).filter((name) => base(name) === key && FORM.test(name));
    const own = names.map((name) => name.match(FORM)[1]);
    assert.deepEqual(own.sort(), forms, `${code}: forms of ${key}`);
  }
  for (const [key, text] of Object.entries(words)) {
    assert.ok(text.trim(), `${code}: ${key} is empty`);
    const english = en[key] ?? en[`${base(key)}.other`];
    // A form may say "one" instead of the count.
    const plain = (values) => (FORM.test(key) ? values.replace(/\{count\} ?/, "") : values);
    assert.equal(plain(valuesOf(text)).trim(), plain(valuesOf(english)).trim(), `${code}: values of ${key}`);
  }
}

const browser = await launch();
const server = await serve(binary);
const seen = new Set();
const found = [];
for (const code of codes) {
  for (const [width, height] of [[390, 664], [844, 390]]) {
    const loaded = [];
    const phone = { viewport: { width, height }, isMobile: true, hasTouch: true, locale: `${code}-XX` };
    const page = await open(browser, server.url, phone, (url) => loaded.push(url));
    const fits = async (screen) => {
      await page.screenshot({ path: `${folder}/${code}-${width}-${screen}.png` });
      for (const fault of await page.evaluate(faults, 44)) found.push(`${code} ${width}x${height} ${screen}: ${fault}`);
    };
    const press = (button) => page.locator(button).evaluate((found) => found.click());
    const wanted = code === "en" ? ["en.js"] : ["en.js", `${code}.js`];
    const got = loaded.filter((url) => url.includes("/lang/")).map((url) => url.split("/").pop());
    assert.deepEqual([...new Set(got)].sort(), wanted.sort(), "only the language of the page is loaded");
    assert.equal(await page.getAttribute("html", "lang"), code);
    await fits("play");
    seen.add(await page.locator("#resign").innerText());
    // The words on a button that asks again are longer.
    await press("#resign");
    await fits("resign");
    await press("#new");
    await fits("new");
    await page.check("input[name=clock][value=own]", { force: true });
    await page.locator("input[name=level]").last().check({ force: true });
    await fits("new-own");
    const over = await page.locator("#new-dialog").evaluate((box) => box.scrollHeight - box.clientHeight);
    if (over > 0) found.push(`${code} ${width}x${height} new-own: scrolls by ${over}`);
    await page.keyboard.press("Escape");
    for (const dialog of ["open", "save", "options", "help"]) {
      await press(`#${dialog}`);
      await fits(dialog);
      await page.keyboard.press("Escape");
    }
    await paste(page, GAME.replaceAll(" 5. ", " {[%eval 0.4]} 5. ").replace("18-23", "18-23 {[%eval 0.1]}"));
    await page.locator("#lines li").nth(1).waitFor();
    await fits("analyse");
    await axe(page, `${code} analyse`);
    await press("#more");
    await fits("more");
    await page.keyboard.press("Escape");
    await press("#details");
    await fits("details");
    await page.keyboard.press("Escape");
    await press("#setup");
    await fits("setup");
    await press("#task .tools button:nth-child(4)");
    await paste(page, LESSON);
    await page.locator("#learn").waitFor();
    await fits("lesson");
    await press("#report");
    await page.locator(".report").waitFor().catch(() => {});
    await press("#learn");
    await page.locator("#task .tools button").nth(2).waitFor();
    await fits("learn");
    await press("#puzzles");
    await page.locator("#puzzles-dialog[open]").waitFor();
    await fits("puzzles");
    await press("#puzzles-dialog .primary");
    await page.locator("#task .tools button").nth(3).waitFor();
    await fits("puzzle");
    const above = () => document.getElementById("bar").getBoundingClientRect().top
      - document.getElementById("task").getBoundingClientRect().bottom;
    if (await page.evaluate(above) < 0) found.push(`${code} ${width}x${height}: the bar covers the puzzle`);
    await press("#task .tools button:nth-child(2)");
    await fits("puzzle-end");
    if (await page.evaluate(above) < 0) found.push(`${code} ${width}x${height}: the bar covers the answer`);
    assert.deepEqual(page.faults, [], `${code}: the console`);
    await page.context().close();
  }
}
assert.deepEqual(found, []);
assert.equal(seen.size, codes.length, `each language has its own words: ${[...seen]}`);

// The switch, which is remembered, comes before the browser's language.
const page = await open(browser, server.url, { locale: "fr-FR" });
await page.click("#options");
await Promise.all([page.waitForEvent("load"), page.selectOption("#setting-language", "ru")]);
await page.locator("html[lang=ru]").waitFor();
await page.reload();
await page.locator("html[lang=ru]").waitFor();
// Numbers are written as in the language.
await page.locator("body[data-ready]").waitFor();
await paste(page, "W:W28,32,37:B8,13,19");
await page.locator("#lines .badge", { hasText: /^([+−]?\d+,\d\d|[БЧ] .*)$/ }).first().waitFor();
await page.context().close();
await browser.close();
await server.end();
console.log(`${codes.length} languages: every key has its text, every text its place`);
process.exit(0);
