// Reads the page of the design as a reviewer does, served and as a file: with the keyboard, on paper and without scripts.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { seriousViolations } from './axe.mjs';
import { launch, watch } from './browser.mjs';
import { defaultQuery, origin } from './gateway.mjs';
import { root } from './process.mjs';

let browser, dir, file, text;

before(async () => {
  browser = await launch();
  dir = await mkdtemp(join(tmpdir(), 'partita-design-'));
  const { stdout } = await promisify(execFile)(join(root, 'bin/partita'), ['design', '--format=html'], { cwd: root });
  text = stdout;
  await writeFile(join(dir, 'design.html'), text);
  file = pathToFileURL(join(dir, 'design.html')).href;
});

after(async () => {
  await browser?.close();
  await rm(dir, { recursive: true, force: true });
});

/** Opens the page; close checks what it must not do. */
async function open(url = `${origin}/design`, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  const faults = await watch(page, origin);
  await page.goto(url);
  return {
    page,
    async close() {
      assert.deepEqual(
        faults.filter((fault) => !fault.startsWith(`request to ${file}`)),
        [],
      );
      await page.context().close();
    },
  };
}

const chooser = (page) => page.getByRole('navigation', { name: 'Patterns of the picture' });
const read = (page) => page.locator('.item.read .sk a').allTextContents();
const orders = ['ORDER#2026-01-05T09:30:00.000Z#order1', 'ORDER#2026-01-06T09:30:00.000Z#order2'];

test('the keyboard chooses a pattern, and the items that it reads are highlighted', async () => {
  const { page, close } = await open();
  await chooser(page).getByRole('link', { name: 'orders', exact: true }).focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await read(page), orders);
  await page.getByRole('status').getByText('User.orders reads 2 items of the picture: PK = USER#{id}, SK begins with ORDER#').waitFor();
  assert.equal(await chooser(page).locator('[aria-current]').textContent(), 'orders');
  assert.equal(new URL(page.url()).hash, '#User.orders');
  await page.keyboard.press('Escape');
  assert.deepEqual(await read(page), []);
  assert.equal(await page.getByRole('button', { name: 'Clear' }).isVisible(), false);
  await close();
});

test('an item has the patterns that read it, and a link has the choice', async () => {
  const { page, close } = await open(`${origin}/design#Query.ordersByStatus`);
  const entries = page.locator('.item.read');
  assert.equal(await entries.count(), 2);
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector('.item.read').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  await entries.first().getByRole('link').press('Enter');
  await page.getByRole('status').getByText('Items like this one are read by Query.ordersByStatus').waitFor();
  assert.deepEqual(await chooser(page).locator('.reads').allTextContents(), ['ordersByStatus']);
  await close();
});

test('a pattern of the table leads to the picture', async () => {
  const { page, close } = await open();
  const table = page.getByRole('region', { name: 'Access patterns' });
  await table.getByRole('link', { name: 'Query.ordersByProduct' }).press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), '2026-01-05T09:30:00.000Z#order1');
  const who = 'the owner (id), ADMIN; of each Order: the owner (userId), ADMIN';
  assert.equal(await table.locator('[data-pattern="User.orders"]').getByRole('cell', { name: who, exact: true }).count(), 1);
  await close();
});

test('the page is that of the command, and has nothing of what is stored', async () => {
  const served = await (await fetch(`${origin}/design`)).text();
  const main = (html) => html.slice(html.indexOf('<main>'));
  assert.equal(main(served), main(text));
  const [, stored] = (await defaultQuery()).match(/"(VXNlcj[^"]*)"/);
  assert.ok(!served.includes(stored) && !served.includes(Buffer.from(stored, 'base64url').toString().slice(5)));
  assert.match(served, /<a href="\/design" aria-current="page">Design<\/a>/);
  assert.doesNotMatch(text, /https?:/);
});

test('the other pages lead to it, in their colour scheme', async () => {
  const page = await browser.newPage(); // Their own requests end with them.
  for (const path of ['/', '/table']) {
    await page.goto(`${origin}${path}`);
    await page.getByLabel('Colour scheme').selectOption('dark');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Design' }).click();
    await page.getByRole('heading', { name: 'Design of the table', level: 1 }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  }
  await page.context().close();
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [390, 1440]) {
    test(`at ${width} px in ${colorScheme} colours axe finds nothing, and nothing is cut off`, async () => {
      const { page, close } = await open(`${origin}/design#User.orders`, { viewport: { width, height: 900 }, colorScheme });
      assert.deepEqual(await read(page), orders);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      assert.deepEqual(await seriousViolations(page), []);
      await close();
    });
  }
}

test('the file can be read without scripts, and its links lead on', async () => {
  const { page, close } = await open(file, { javaScriptEnabled: false });
  await chooser(page).getByRole('link', { name: 'orders', exact: true }).click();
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'User.orders', exact: true }) }).first();
  await row.getByRole('link', { name: 'copy of Order' }).click();
  assert.equal(new URL(page.url()).hash, '#Order-copy-1');
  assert.equal(await page.getByText('FOLLOWED_BY#user2').isVisible(), true);
  await close();
});

test('the file highlights, too, and keeps the colour scheme', async () => {
  const { page, close } = await open(`${file}#User.orders`);
  assert.deepEqual(await read(page), orders);
  await page.getByLabel('Colour scheme').selectOption('dark');
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await close();
});

test('on paper there are no controls, and no table is wider than the page', async () => {
  const { page, close } = await open();
  await page.setViewportSize({ width: 1030, height: 700 }); // A4 in landscape, without margins
  await page.emulateMedia({ media: 'print' });
  for (const part of ['.bar', '.chooser', '.contents']) assert.equal(await page.locator(part).isVisible(), false, part);
  const tooWide = await page.locator('table, .picture').evaluateAll((all) => all.filter((e) => e.getBoundingClientRect().right > innerWidth).length);
  assert.equal(tooWide, 0);
  await close();
});
