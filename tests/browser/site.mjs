// Opens every page of the documentation site: `node site.mjs SITE SHOTS`. Prints each fault; exit status 1 if there is one.
import { mkdtempSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(join(process.cwd(), "x.js"))("playwright-core");
const [site, shots] = process.argv.slice(2);
const WORD = "mermaid"; // a word that the search must find

const pages = readdirSync(site, { recursive: true }).filter((path) => path.endsWith(".html") && path !== "404.html");
const browser = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "browser-")),
  { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const faults = [];
const page = await browser.newPage();
page.setDefaultTimeout(120_000);
let now = "";
page.on("pageerror", (error) => faults.push(`${now}: ${error}`));
page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) faults.push(`${now}: asks for ${request.url()}`); });
page.on("requestfailed", (request) => faults.push(`${now}: lacks ${request.url()}`));
for (const path of pages) for (const width of [375, 1440]) {
  now = `${path} at ${width}`;
  await page.setViewportSize({ width, height: 900 });
  await page.goto(pathToFileURL(join(site, path)).href);
  const found = await page.evaluate(() => {
    const scrolls = (element) => element && (["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const article = document.querySelector("article");
    const edge = article?.getBoundingClientRect().right + 1;
    const out = [...(article?.querySelectorAll("*") ?? [])]
      .filter((element) => element.getBoundingClientRect().right > edge && !scrolls(element.parentElement) && !scrolls(element))
      .map(({ outerHTML }) => outerHTML.slice(0, 80));
    const narrow = [...document.querySelectorAll("td")].filter((cell) => cell.textContent.length > 40 && cell.getBoundingClientRect().width < 100)
      .map(({ textContent }) => textContent.slice(0, 60));
    return { wide: document.documentElement.scrollWidth > innerWidth, out: out.slice(0, 3), narrow: narrow.slice(0, 3) };
  });
  if (found.wide) faults.push(`${now}: scrolls sideways`);
  faults.push(...found.out.map((each) => `${now}: leaves its column: ${each}`), ...found.narrow.map((each) => `${now}: a column is too narrow: ${each}`));
  if (shots) await page.screenshot({ path: join(shots, `site-${path.replaceAll("/", "-")}-${width}.png`), fullPage: true });
}
now = "search";
await page.goto(pathToFileURL(join(site, "index.html")).href);
await page.locator("input.md-search__input").fill(WORD);
await page.locator(".md-search-result__item").first().waitFor({ timeout: 30_000 }).catch(() => faults.push(`search finds nothing for ${WORD}`));
await browser.close();
console.log([...faults, `${pages.length} pages, ${faults.length} faults`].join("\n"));
process.exit(faults.length ? 1 : 0);
