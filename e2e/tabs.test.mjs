// Which tab of the playground is open.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { startOwn } from './process.mjs';

const kinds = Array.from({ length: 24 }, (_, i) => `Kind${i}`);
const schema = `
type Query { note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}") @live }
type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! text: String! }
`;

let dir, gateway, browser, page;

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'partita-tabs-'));
  await writeFile(join(dir, 'notes.graphqls'), schema);
  await writeFile(join(dir, 'query.graphql'), kinds.map((kind) => `query ${kind} { note(id: "Tm90ZTox") { id } }\n`).join('\n'));
  gateway = await startOwn({}, ['serve', dir]);
  browser = await launch();
  page = await (await browser.newContext({ viewport: { width: 1300, height: 800 } })).newPage();
});

after(async () => {
  await browser?.close();
  await gateway?.remove();
  await rm(dir, { recursive: true, force: true });
});

const active = () => page.locator('.graphiql-tab[aria-selected=true]');
const editor = () => page.locator('.graphiql-query-editor .view-lines');

/** Loads the page again once it has stored which operation is open. */
async function reload(visited, operation) {
  await visited.waitForFunction((name) => {
    const { tabs, activeTabIndex } = JSON.parse(localStorage['graphiql:tabState'] ?? '{}');
    return tabs?.[activeTabIndex].title === name;
  }, operation);
  await visited.reload();
}

/** Whether the active tab is where a person sees it. */
async function isInSight() {
  const tab = await active().boundingBox();
  const bar = await page.locator('.graphiql-tabs').boundingBox();
  return tab.x >= bar.x - 1 && tab.x + tab.width <= bar.x + bar.width + 1;
}

test('after a reload the active tab is in sight', async () => {
  await page.goto(`${gateway.url}/`);
  await editor().getByText(kinds[0]).waitFor();
  await page.getByRole('tab').filter({ hasText: kinds.at(-1) }).getByRole('button').first().click();
  await editor().getByText(kinds.at(-1)).waitFor();
  await reload(page, kinds.at(-1));
  await active().filter({ hasText: kinds.at(-1) }).waitFor();
  await editor().getByText(kinds.at(-1)).waitFor();
  assert.ok(await isInSight());
});

const link = (parameters) => `${gateway.url}/?${new URLSearchParams(parameters)}`;

for (const [name, visit] of [
  ['first', () => browser.newContext({ viewport: { width: 1300, height: 800 } }).then((context) => context.newPage())],
  ['later', () => page],
]) {
  test(`a link opens its operation in a tab of its own at a ${name} visit`, async () => {
    const visited = await visit();
    const tabs = visited.getByRole('tab');
    const text = visited.locator('.graphiql-query-editor .view-lines');
    await visited.goto(link({ query: 'query Linked($id: ID!) { note(id: $id) { text } }', variables: '{"id": "Tm90ZToy"}' }));
    await text.getByText('query Linked').waitFor();
    assert.equal(await visited.locator('.graphiql-tab[aria-selected=true] .graphiql-tab-button').textContent(), 'Linked');
    assert.equal(await tabs.count(), kinds.length + 1);
    await visited.getByRole('button', { name: 'Variables' }).click();
    await visited.locator('.graphiql-editor-tool .view-lines').getByText('Tm90ZToy').first().waitFor();
    assert.equal(visited.url(), `${gateway.url}/`);
    await reload(visited, 'Linked');
    await text.getByText('query Linked').waitFor();
    assert.equal(await tabs.count(), kinds.length + 1);
  });
}
