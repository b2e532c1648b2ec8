// Edits the schema of a folder while its playground is open.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, watch } from './browser.mjs';
import { ready, start } from './process.mjs';

const schema = (field) => `
extend type Query { note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}") }
type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! ${field} }
`;

let dir, gateway, browser, page, faults;

const save = (text) => writeFile(join(dir, 'notes.graphqls'), text);

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'partita-watch-'));
  await save(schema('text: String!'));
  gateway = await start(['serve', dir, '--watch'], {});
  await ready(gateway);
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
  faults = await watch(page, gateway.url);
  await page.goto(`${gateway.url}/`);
  await page.locator('.graphiql-query-editor .view-lines').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('{ note(id: "Tm90ZTox") { more } }');
});

after(async () => {
  await browser?.close();
  gateway?.process.kill('SIGTERM');
  await gateway?.exited;
  await rm(dir, { recursive: true, force: true });
});

const unknownField = () => page.locator('.graphiql-query-editor .squiggly-error');

test('the editor learns of a field that is added', async () => {
  await unknownField().first().waitFor();
  await save(schema('text: String! more: Int'));
  await unknownField().first().waitFor({ state: 'detached' });
});

test('the page shows findings until they are corrected', async () => {
  const banner = page.getByRole('alert').filter({ hasText: 'The last valid schema is served.' });
  await save(schema('text: String! more: Intt'));
  await banner.getByText('notes.graphqls:3:91: Note.more: Int is the likely name: there is no type Intt').waitFor();
  await save(schema('text: String! more: Int'));
  await banner.waitFor({ state: 'detached' });
  assert.equal(await unknownField().count(), 0);
});

test('no request left the gateway, nothing failed, and the Content-Security-Policy held', () => assert.deepEqual(faults, []));
