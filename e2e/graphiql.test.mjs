// Uses the playground as a person does, in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, watch } from './browser.mjs';
import { defaultQuery, endpoint, origin } from './gateway.mjs';

let browser, page, faults;

before(async () => {
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
  faults = await watch(page, origin);
  await page.goto(`${origin}/`);
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
});

after(() => browser.close());

/** The text of an editor as a person sees it: Monaco writes spaces as no-break spaces, and its lines in any order. */
async function lines(pane) {
  const rows = await page.locator(`${pane} .view-line`).evaluateAll((elements) =>
    elements
      .map((element) => ({ top: parseFloat(element.style.top), text: element.textContent.replaceAll('\u00a0', ' ') }))
      .sort((a, b) => a.top - b.top),
  );
  return rows.map(({ text }) => text);
}

test('the default query is in the editor', async () => {
  const written = (await defaultQuery()).trimEnd().split('\n');
  assert.ok(written.length > 1);
  // Lines are wrapped where the editor is narrower.
  const words = (rows) => rows.join(' ').split(/\s+/).join(' ');
  assert.ok(words(await lines('.graphiql-query-editor')).startsWith(words(written.slice(0, 3))));
});

/** Runs what is in the editor. */
async function execute() {
  const [response] = await Promise.all([
    page.waitForResponse((r) => r.url() === endpoint && r.request().postDataJSON().operationName !== 'IntrospectionQuery'),
    page.getByRole('button', { name: /^Execute query/ }).click(),
  ]);
  return response;
}

test('the Run button brings the answer', async () => {
  const response = await execute();
  assert.equal(response.status(), 200);
  assert.match((await response.request().allHeaders()).authorization, /^Bearer /, "the page does not sign the demo's visitor in");
  const { data, errors, extensions } = await response.json();
  assert.equal(errors, undefined);
  assert.ok(Object.values(data).every((value) => value !== null), 'the default query finds nothing');
  assert.deepEqual(Object.keys(extensions.cost), ['estimatedReadUnits', 'readUnits', 'estimatedWriteUnits', 'writeUnits', 'estimatedObjects', 'objects', 'requests', 'retries', 'waves', 'reusedReads', 'throttleStatus']);

  await page.locator('.result-window .view-line').filter({ hasText: '"data"' }).waitFor();
  const [firstField] = Object.keys(data);
  assert.match((await lines('.result-window')).join('\n'), new RegExp(`"data": \\{\\s*"${firstField}":`));
});

test('the docs explorer shows the descriptions of the schema', async () => {
  const field = Object.keys(await rootFields())[0];
  await page.getByRole('button', { name: 'Documentation' }).click();
  await page.locator('.graphiql-doc-explorer').getByRole('link', { name: 'Query', exact: true }).first().click();
  const description = (await rootFields())[field];
  assert.ok(description, `Query.${field} has no description`);
  const docs = page.locator('.graphiql-doc-explorer');
  await docs.getByText(description.split('\n')[0].replaceAll('`', ''), { exact: false }).first().waitFor();
});

test('the docs explorer and the hover have the key condition, the price and the rule of a field', async () => {
  const facts = await (await fetch(`${origin}/design/fields`)).json();
  assert.equal(facts['Query.userByEmail'], '- Key condition: Query GSI1: `GSI1PK = EMAIL#{email}`, `GSI1SK` begins with `USER#`\n- At worst: 0.5 read units\n- Read by: ADMIN');
  const docs = page.locator('.graphiql-doc-explorer');
  await docs.getByRole('link', { name: 'userByEmail', exact: true }).click();
  const shown = await docs.getByRole('listitem').allTextContents();
  assert.deepEqual(shown.filter((text) => /^(Key condition|At worst|Read by)/.test(text)), lists(facts['Query.userByEmail']));
  await page.locator('.graphiql-query-editor .view-line span', { hasText: /^orders$/ }).first().hover();
  const hovered = page.locator('.graphiql-query-editor .monaco-hover:visible');
  for (const text of lists(facts['User.orders'])) await hovered.getByText(text).first().waitFor();
  assert.ok(!(await rootFields()).userByEmail.includes('Key condition'), 'other clients see the schema as it was written');
});

/** The texts of a list in Markdown. */
const lists = (markdown) => markdown.split('\n').map((line) => line.slice(2).replaceAll('`', ''));

test('the editor knows the schema', async () => {
  const editor = page.locator('.graphiql-query-editor .view-lines');
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('{ noSuchField }');
  await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor();
});

test('no request left the gateway, nothing failed, and the Content-Security-Policy held', () => assert.deepEqual(faults, []));

test('a violation of the policy would be noticed', async () => {
  const other = await browser.newPage();
  const noticed = await watch(other, origin);
  await other.goto(`${origin}/`);
  await other.locator('.graphiql-query-editor .view-line').first().waitFor();
  await other.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.injected = true';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<style>body { --injected: 1 }</style>');
  });
  assert.equal(await other.evaluate(() => globalThis.injected), undefined);
  assert.equal(await other.evaluate(() => getComputedStyle(document.body).getPropertyValue('--injected')), '');
  for (const directive of ['script-src-elem', 'style-src-elem']) {
    assert.ok(noticed.some((fault) => fault.startsWith(`policy: ${directive} blocked inline`)), noticed.join('\n'));
  }
  await other.close();
});

async function rootFields() {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: '{ __type(name: "Query") { fields { name description } } }' }),
  });
  const { data } = await response.json();
  return Object.fromEntries(data.__type.fields.map(({ name, description }) => [name, description]));
}
