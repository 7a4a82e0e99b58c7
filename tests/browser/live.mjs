// Opens a page that loads itself again: `node live.mjs live.html longer.html`. 1 if the reader's place is lost.
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";

const require = createRequire(join(process.cwd(), "x.js"));
const { chromium } = require("playwright-core");
const [first, longer] = process.argv.slice(2);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

const folder = mkdtempSync(join(tmpdir(), "live-"));
const path = join(folder, "report.html");
copyFileSync(first, path);
const browser = await chromium.launchPersistentContext(join(folder, "profile"),
  { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS, bypassCSP: false });
const page = await browser.newPage();
const said = [];
page.on("console", (message) => said.push(message.text()));
page.on("pageerror", (error) => said.push(String(error)));
await page.goto(pathToFileURL(path).href);
const look = () => page.evaluate(() => {
  const open = [...document.querySelectorAll("main details")].filter((part) => part.open).map((part) => part.firstChild.textContent);
  const part = [...document.querySelectorAll("main summary")].find((each) => each.parentElement.open);
  return { open, top: part && Math.round(part.getBoundingClientRect().top), focus: document.activeElement.textContent, pages: document.querySelectorAll("h3").length };
});
await page.evaluate(() => {
  const parts = [...document.querySelectorAll("main summary")];
  const part = parts[Math.floor(parts.length / 2)];
  part.click();
  part.focus();
  part.scrollIntoView();
});
const before = await look();
copyFileSync(longer, path);
await page.waitForEvent("load", { timeout: 60000 });
await page.waitForTimeout(200);
const after = await look();
await browser.close();
const bad = said.length || JSON.stringify(before.open) !== JSON.stringify(after.open) || before.focus !== after.focus
  || Math.abs(before.top - after.top) > 2 || after.pages <= before.pages;
console.log(JSON.stringify({ page: "live", before, after, said }));
process.exit(bad ? 1 : 0);
