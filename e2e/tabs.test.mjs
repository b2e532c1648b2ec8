// Which operation of the playground is open.
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
  page = await (await browser.newContext({ viewport: { width: 1300, height: 500 } })).newPage();
});

after(async () => {
  await browser?.close();
  await gateway?.remove();
  await rm(dir, { recursive: true, force: true });
});

const active = (on = page) => on.locator('.operation-name[aria-current]');
const editor = () => page.locator('.graphiql-query-editor .view-lines');

/** Loads the page again once it has stored which operation is open. */
async function reload(visited, operation) {
  await visited.waitForFunction((name) => {
    const { tabs, activeTabIndex } = JSON.parse(localStorage['graphiql:tabState'] ?? '{}');
    return tabs?.[activeTabIndex].title === name;
  }, operation);
  await visited.reload();
}

/** Whether the active operation is where a person sees it. */
async function isInSight() {
  const tab = await active().boundingBox();
  const list = await page.locator('.operations').boundingBox();
  return tab.y >= list.y - 1 && tab.y + tab.height <= list.y + list.height + 1;
}

test('after a reload the active operation is in sight', async () => {
  await page.goto(`${gateway.url}/`);
  await editor().getByText(kinds[0]).waitFor();
  await page.getByRole('button', { name: kinds.at(-1), exact: true }).click();
  await editor().getByText(kinds.at(-1)).waitFor();
  await reload(page, kinds.at(-1));
  await active().filter({ hasText: kinds.at(-1) }).waitFor();
  await editor().getByText(kinds.at(-1)).waitFor();
  assert.ok(await isInSight());
});

const link = (parameters) => `${gateway.url}/?${new URLSearchParams(parameters)}`;

for (const [name, visit] of [
  ['first', () => browser.newContext({ viewport: { width: 1300, height: 500 } }).then((context) => context.newPage())],
  ['later', () => page],
]) {
  test(`a link opens an operation of its own at a ${name} visit`, async () => {
    const visited = await visit();
    const tabs = visited.locator('.operation');
    const text = visited.locator('.graphiql-query-editor .view-lines');
    await visited.goto(link({ query: 'query Linked($id: ID!) { note(id: $id) { text } }', variables: '{"id": "Tm90ZToy"}' }));
    await text.getByText('query Linked').waitFor();
    assert.equal(await active(visited).textContent(), 'Linked');
    assert.equal(await tabs.count(), kinds.length + 1);
    await visited.getByRole('button', { name: 'Variables' }).click();
    await visited.locator('.graphiql-editor-tool .view-lines').getByText('Tm90ZToy').first().waitFor();
    assert.equal(visited.url(), `${gateway.url}/`);
    await reload(visited, 'Linked');
    await text.getByText('query Linked').waitFor();
    assert.equal(await tabs.count(), kinds.length + 1);
  });
}

test('the absence of the gateway is shown, and ends by itself', async () => {
  const visited = await (await browser.newContext()).newPage();
  const absence = visited.getByRole('status', { name: 'Gateway' });
  await visited.goto(link({ query: '{ note(id: "Tm90ZTox") { text } }' }));
  await visited.locator('.plan-box').first().waitFor();
  await gateway.stop();
  await absence.getByText('The gateway does not answer.').waitFor(); // nobody has touched the page
  await visited.getByRole('button', { name: /^Execute query/ }).click();
  const answer = visited.locator('.result-window .view-lines');
  await answer.getByText('does not answer').waitFor();
  assert.equal((await answer.textContent()).replace(/\s/g, ''), '{"errors":[{"message":"Thegatewaydoesnotanswer."}]}');
  await gateway.start();
  const plan = visited.waitForResponse((response) => response.url().endsWith('/plan'));
  await absence.getByText('The gateway does not answer.').waitFor({ state: 'detached' });
  assert.equal((await plan).status(), 200);
  await visited.getByRole('button', { name: /^Execute query/ }).click();
  await answer.getByText('"note"').waitFor();
  await visited.context().close();
});
