// Takes the screenshots of the documentation: `make screenshots`, or with the names of files as arguments only those.
// Each is a page of a gateway with fresh demo data, so that the pictures change only if the pages do.
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from './browser.mjs';
import { design } from './design.screenshot.mjs';
import { figures } from './figures.screenshot.mjs';
import { plan } from './plan.screenshot.mjs';
import { root, startOwn } from './process.mjs';
import { storefront } from './storefront/screenshot.mjs';
import { table } from './table.screenshot.mjs';

/**
 * What a picture shows. `url` gets the origin of the gateway. `prepare` does what a person does before the picture is
 * taken; it gets the page, and `{ gateway, browser }`.
 *
 * @type {{
 *   file: string,
 *   viewport: { width: number, height: number },
 *   url: (gateway: string) => string,
 *   prepare: (page: import('playwright-core').Page, context: object) => Promise<void>,
 * }[]}
 */
const screenshots = [storefront, table, plan, design, figures];

const folder = join(root, 'docs/images');
const largest = 200 * 1024; // bytes

const named = process.argv.slice(2);
const gateway = await startOwn();
const browser = await launch();
try {
  await mkdir(folder, { recursive: true });
  for (const screenshot of screenshots) {
    if (named.length === 0 || named.includes(screenshot.file)) await take(screenshot);
  }
} finally {
  await browser.close();
  await gateway.remove();
}

async function take({ file, viewport, url, prepare }) {
  const context = await browser.newContext({ viewport, locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(url(gateway.url));
  await prepare(page, { gateway: gateway.url, browser });
  const path = join(folder, file);
  await page.screenshot({ path });
  await context.close();
  const { size } = await stat(path);
  console.log(`docs/images/${file}: ${Math.ceil(size / 1024)} KB`);
  if (size > largest) throw new Error(`${file} is larger than ${largest / 1024} KB: make the viewport smaller`);
}
