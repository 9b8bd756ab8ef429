// Shows pages to a real browser, in light and dark, on a telephone and on a desk, and prints what is wrong with them
// as one JSON document. `node axe.mjs MODULES PAGE…`, where MODULES holds playwright-core and axe-core.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, ...pages] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// What could run, load or lead somewhere.
const ALIVE = "script, img, svg, iframe, object, embed, link, form, base, a:not([href^='#'])";

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
});
const findings = [];
for (const colorScheme of ["light", "dark"]) {
  const context = await browser.newContext({ colorScheme });
  for (const file of pages) {
    for (const width of [360, 1200]) {
      const page = await context.newPage();
      const find = (what) => findings.push({ page: file, colorScheme, width, what });
      await page.setViewportSize({ width, height: 900 });
      const url = pathToFileURL(file).href;
      page.on("request", (request) => request.url() === url || find(`loads ${request.url()}`));
      page.on("console", (message) => message.type() === "error" && find(`complains: ${message.text()}`));
      page.on("dialog", (dialog) => { find(`says ${dialog.message()}`); dialog.dismiss(); });
      await page.goto(url);
      // What is folded away is looked at, too.
      const seen = await page.evaluate((alive) => {
        for (const folded of document.querySelectorAll("details")) folded.open = true;
        const handlers = [...document.querySelectorAll("*")]
          .filter((element) => [...element.attributes].some(({ name }) => name.startsWith("on") || name === "style"));
        return {
          alive: [...document.querySelectorAll(alive), ...handlers].map((element) => element.outerHTML.slice(0, 80)),
          wide: document.documentElement.scrollWidth,
        };
      }, ALIVE);
      seen.alive.forEach((element) => find(`holds ${element}`));
      if (seen.wide > width) find(`is ${seen.wide} pixels wide`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
      for (const { id, nodes } of violations) find(`${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`);
      await page.close();
    }
  }
  await context.close();
}
await browser.close();
console.log(JSON.stringify(findings));
