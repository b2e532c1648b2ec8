// The classic GraphQL Playground, on a page of another origin, with its own introspection query and its own headers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { serveClassic } from './classic.mjs';
import { defaultQuery, endpoint } from './gateway.mjs';

let site, browser, page, introspected;
const errors = [];

before(async () => {
  site = await serveClassic(endpoint);
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1400, height: 850 } });
  page.on('pageerror', (error) => errors.push(error.message));
  const isIntrospection = (r) => r.url() === endpoint && r.request().postData()?.includes('__schema');
  [introspected] = await Promise.all([page.waitForResponse(isIntrospection), page.goto(site.url)]);
  await editors().first().waitFor();
});

after(async () => {
  await browser?.close();
  await site?.stop();
});

/** The editors of the page: of the document, of the variables, of the answer, and of the schema while it is shown. */
const editors = () => page.locator('.CodeMirror');

/** Runs a document, and returns the response and what the page shows of it. */
async function run(document) {
  await editors().first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(document);
  const isRun = (r) => r.url() === endpoint && r.request().method() === 'POST' && !r.request().postData().includes('__schema');
  const [response] = await Promise.all([page.waitForResponse(isRun), page.keyboard.press('Control+Enter')]);
  const body = await response.json();
  return { response, body, shown: editors().nth(2) };
}

test('its introspection is answered', async () => {
  assert.equal(introspected.status(), 200);
  const { data, errors } = await introspected.json();
  assert.equal(errors, undefined);
  assert.equal(data.__schema.queryType.name, 'Query');
});

test('the tab "Schema" shows the schema', async () => {
  const toggle = () => page.getByText('Schema', { exact: true }).first().click();
  await toggle();
  const schema = editors().nth(3);
  await schema.waitFor();
  const lines = new Set();
  // The editor has only the lines that are in view.
  for (let top = 0; !lines.has('type User implements Node {') && top < 60_000; top += 400) {
    await schema.evaluate((element, to) => element.CodeMirror.scrollTo(0, to), top);
    for (const line of await schema.locator('.CodeMirror-line').allTextContents()) lines.add(line.trim());
  }
  assert.ok(lines.has('type User implements Node {'), [...lines].join('\n'));
  await toggle();
});

test('a query is answered', async () => {
  const [, ada] = (await defaultQuery()).match(/user\(id: "([^"]+)"\)/);
  const { response, body, shown } = await run(`query { user(id: "${ada}") { name } }`);
  assert.equal(response.status(), 200);
  assert.deepEqual(body.data, { user: { name: 'Ada Lovelace' } });
  await shown.getByText('Ada Lovelace').waitFor();
});

test('errors are shown with their messages', async () => {
  const invalid = await run('query { viewer { nam } }');
  const [{ message }] = invalid.body.errors;
  assert.match(message, /Cannot query field "nam" on type "User"/);
  await invalid.shown.getByText('Cannot query field', { exact: false }).first().waitFor();
  const forbidden = await run('query { userByEmail(email: "ada@example.com") { id } }');
  assert.equal(forbidden.body.errors[0].extensions.code, 'FORBIDDEN');
  await forbidden.shown.getByText('FORBIDDEN', { exact: false }).first().waitFor();
});

test('nothing failed in the page', () => assert.deepEqual(errors, []));
