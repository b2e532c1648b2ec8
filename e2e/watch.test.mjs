// Edits the schema of a folder while its playground is open.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, watch } from './browser.mjs';
import { assertLooks, sameWidths } from './looks.mjs';
import { startOwn } from './process.mjs';

const schema = (field) => `
extend type Query { note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}") }
type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! ${field} }
`;

let dir, gateway, browser, page, faults;

const save = (text) => writeFile(join(dir, 'notes.graphqls'), text);

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'partita-watch-'));
  await save(schema('text: String!'));
  gateway = await startOwn({}, ['serve', dir, '--watch']);
  browser = await launch(sameWidths);
  page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
  faults = await watch(page, gateway.url);
  await page.goto(`${gateway.url}/`);
  await page.getByRole('button', { name: 'Documentation' }).click();
  for (const type of ['Query', 'Note']) await docs().getByRole('link', { name: type, exact: true }).first().click();
});

const docs = () => page.locator('.graphiql-doc-explorer');

after(async () => {
  await browser?.close();
  await gateway?.remove();
  await rm(dir, { recursive: true, force: true });
});

test('without query.graphql there is an operation for each query of the schema', async () => {
  await page.locator('.graphiql-query-editor .view-line', { hasText: /^\s*note\(id:\s""\)/ }).waitFor();
  assert.deepEqual(await page.locator('.operation-name').allTextContents(), ['Note']);
});

test('the page learns of a field that is added', async () => {
  await docs().getByRole('link', { name: 'text', exact: true }).waitFor();
  await save(schema('text: String! more: Int'));
  await docs().getByRole('link', { name: 'more', exact: true }).waitFor();
});

test('the page shows findings until they are corrected', async () => {
  const banner = page.getByRole('alert').filter({ hasText: 'The last valid schema is served.' });
  await save(schema('text: String! more: Intt'));
  await banner.getByText('notes.graphqls:3:97: Note.more: Int is the likely name: there is no type Intt').waitFor();
  await save(schema('text: String! more: Int'));
  await banner.waitFor({ state: 'detached' });
});

test('many findings are read beside the editor and the plan, in both colour schemes', async () => {
  const banner = page.getByRole('alert').filter({ hasText: 'The last valid schema is served.' });
  const wrong = Array.from({ length: 40 }, (_, i) => `more${i}: Intt`);
  await save(schema(`text: String! more: Int ${wrong.join(' ')}`));
  await banner.getByText('Note.more39').waitFor();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const part of [banner.locator('strong'), banner.locator('pre'), banner.getByRole('button')]) {
      assert.ok((await contrast(part)) >= 4.5, `${await part.textContent()} in ${colorScheme}: ${await contrast(part)}`);
    }
  }
  const font = (locator) => locator.evaluate((element) => getComputedStyle(element).fontFamily);
  const ofPage = page.locator('.operation-name').first();
  assert.equal(await font(banner.locator('strong')), await font(ofPage));
  assert.match(await font(banner.locator('pre')), /monospace/);

  const box = await page.locator('.changes').boundingBox();
  assert.ok(box.y + box.height <= 800 && box.height < 400, JSON.stringify(box));
  for (const name of ['.editors', '.answer', '.side', '.operations']) {
    const other = await page.locator(name).boundingBox();
    assert.ok(other.y + other.height <= box.y + 1, `the findings cover ${name}: ${JSON.stringify([other, box])}`);
  }
  await banner.getByText('Note.more39').scrollIntoViewIfNeeded();
  await banner.getByRole('button', { name: 'Hide' }).click();
  await banner.waitFor({ state: 'detached' });
  await save(schema('text: String! more: Int more0: Intt'));
  await banner.getByText('Note.more0').waitFor();
  // The folder has another name each time.
  await banner.locator('pre').evaluate((pre, name) => (pre.firstChild.data = pre.textContent.replaceAll(name, 'notes')), dir);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await assertLooks(page.locator('.changes'), `findings-${colorScheme}`);
  }
  await save(schema('text: String! more: Int'));
  await banner.waitFor({ state: 'detached' });
});

/** The contrast of an element's text against what is behind it: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
const contrast = (locator) =>
  locator.evaluate((element) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    const paint = (color) => {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return canvas.getImageData(0, 0, 1, 1).data;
    };
    const luminance = ([r, g, b]) => {
      const [red, green, blue] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = [];
    for (let e = element; e; e = e.parentElement) behind.unshift(getComputedStyle(e).backgroundColor);
    paint('Canvas'); // what a page without a background has
    const ground = behind.map(paint).at(-1);
    const [lighter, darker] = [luminance(ground), luminance(paint(getComputedStyle(element).color))].sort((a, b) => b - a);
    return (lighter + 0.05) / (darker + 0.05);
  });

test('the page of the table has the mutations of the schema that is served', async () => {
  const text = (mutations) => schema('text: String! more: Int').replace('{ id', `${mutations} { id`);
  await save(text('@mutable(create: ["PUBLIC"])'));
  const table = await browser.newPage();
  const item = { PK: { S: 'NOTE#1' }, SK: { S: 'NOTE#1' }, entityType: { S: 'Note' }, id: { S: '1' }, text: { S: 'One' } };
  await fetch(`${gateway.url}/table/change`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ was: null, item }),
  });
  await table.goto(`${gateway.url}/table?pk=NOTE%231`);
  await table.getByRole('button', { name: 'Note NOTE#1' }).click();
  const mutation = (name) => table.getByRole('button', { name, exact: true });
  await mutation('createNote').waitFor();
  await save(text('@mutable(create: ["PUBLIC"], update: ["PUBLIC"])'));
  await mutation('updateNote').waitFor();
  await save(schema('text: String! more: Int'));
  await mutation('updateNote').waitFor({ state: 'detached' });
  await table.close();
});

test('the page shows what was migrated in the table', async () => {
  const done = page.getByRole('status').filter({ hasText: 'The table has been migrated.' });
  await save(schema('text: String! more: Int').replace('sk: "NOTE#{id}") {', 'sk: "NOTE#{id}") @index(pk: "TEXT#{text}", sk: "{id}") {'));
  await done.getByText('Note: INDEX_ENTRY GSI1 is new: "TEXT#{text}" "{id}"').waitFor();
  await done.getByRole('button', { name: 'Hide' }).click();
  await done.waitFor({ state: 'detached' });
});

test('no request left the gateway, nothing failed, and the Content-Security-Policy held', () => assert.deepEqual(faults, []));
