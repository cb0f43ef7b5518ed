// Takes the picture of the README: node picture.mjs BINARY FILE.jpg

import { launch, open, paste, serve } from "./lib.mjs";

const [binary, file] = process.argv.slice(2);
const GAME = '[White "Ann"]\n[Black "Bob"]\n\n1. 32-28 18-23 2. 33-29 23x32 3. 37x28 12-18 4. 39-33 7-12 '
  + "5. 44-39 1-7 {solid} (5... 20-25 6. 50-44 1-7) 6. 50-44 19-23 7. 28x19 14x23 8. 35-30 10-14 *";

const server = await serve(binary, ["--engines", "1"]);
const browser = await launch();
const page = await open(browser, server.url, { viewport: { width: 1120, height: 760 } });
await paste(page, GAME);
await page.locator("#moves .move").nth(18).waitFor();
for (let ply = 0; ply < 20; ply++) {
  if (await page.locator("#forth").isDisabled()) break;
  await page.click("#forth");
  await page.locator("#engine-info", { hasText: /depth \d/ }).waitFor();
  await page.waitForTimeout(250);
}
await page.locator("#engine-info", { hasText: /depth (1[2-9]|[2-9]\d)/ }).waitFor();
await page.screenshot({ path: file, type: "jpeg", quality: 82 });
await browser.close();
await server.end();
process.exit(0);
