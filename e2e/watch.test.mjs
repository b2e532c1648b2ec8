// Edits the schema of a folder while its playground is open.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, watch } from './browser.mjs';
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
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
  faults = await watch(page, gateway.url);
  await page.goto(`${gateway.url}/`);
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  for (const type of ['Query', 'Note']) await docs().getByRole('link', { name: type, exact: true }).first().click();
});

const docs = () => page.locator('.graphiql-doc-explorer');

after(async () => {
  await browser?.close();
  await gateway?.remove();
  await rm(dir, { recursive: true, force: true });
});

test('without query.graphql there is a tab for each query of the schema', async () => {
  await page.locator('.graphiql-query-editor .view-line', { hasText: /^\s*note\(id:\s""\)/ }).waitFor();
  assert.deepEqual(await page.locator('.graphiql-tab-button').allTextContents(), ['Note']);
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

test('the page shows what was migrated in the table', async () => {
  const done = page.getByRole('status').filter({ hasText: 'The table has been migrated.' });
  await save(schema('text: String! more: Int').replace('sk: "NOTE#{id}") {', 'sk: "NOTE#{id}") @index(pk: "TEXT#{text}", sk: "{id}") {'));
  await done.getByText('Note: INDEX_ENTRY GSI1 is new: "TEXT#{text}" "{id}"').waitFor();
  await done.getByRole('button', { name: 'Hide' }).click();
  await done.waitFor({ state: 'detached' });
});

test('no request left the gateway, nothing failed, and the Content-Security-Policy held', () => assert.deepEqual(faults, []));
