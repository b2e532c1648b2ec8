// The playground's operations, who sends its requests, and its looks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seriousViolations } from './axe.mjs';
import { launch } from './browser.mjs';
import { settings } from './gateway.mjs';
import { execute, planned, visit, write } from './playground.mjs';

let browser, page, faults, offered;

before(async () => {
  browser = await launch();
  offered = await settings();
  ({ page, faults } = await visit(browser));
});

after(() => browser.close());

const signedIn = () => page.getByRole('group', { name: 'Signed in' });
const sendAs = (name) => signedIn().getByLabel('Send requests as').selectOption(name);

test('there is an operation for each example, in groups', async () => {
  const names = offered.tabs.map(({ query }) => query.match(/^(?:query|mutation|subscription) (\w+)/m)[1]);
  assert.ok(names.length > 10);
  const shown = await page.locator('.operations section').evaluateAll((sections) =>
    sections.map((section) => [section.getAttribute('aria-label'), [...section.querySelectorAll('.operation-name')].map((e) => e.textContent)]),
  );
  const ofKind = (kind) => names.filter((name) => offered.tabs.some(({ query }) => new RegExp(`^${kind} ${name}\\b`, 'm').test(query)));
  assert.deepEqual(shown, [
    ['Queries', ofKind('query')],
    ['Mutations', ofKind('mutation')],
    ['Subscriptions', ofKind('subscription')],
  ]);
});

/** Opens a tab, and waits for its plan: GraphiQL finds a document's operations a moment after it is shown. */
const openTab = (name) =>
  Promise.all([
    planned(page, ({ operationName }) => operationName === name),
    page.getByRole('button', { name, exact: true }).click(),
  ]);

test('each run of a mutation with $idempotencyKey has a new key, unless the visitor gives one', async () => {
  // A query with this variable, because the orders of the demo are those of other tests.
  await write(page, 'query ($idempotencyKey: String!) { userByEmail(email: $idempotencyKey) { id } }');
  const keys = [];
  for (let run = 0; run < 2; run++) {
    const { response } = await execute(page);
    keys.push(response.request().postDataJSON().variables.idempotencyKey);
  }
  assert.match(keys[0], /^[0-9a-f]{32}$/);
  assert.notEqual(keys[0], keys[1]);
  await page.getByRole('button', { name: 'Variables' }).click();
  await page.locator('.graphiql-editor-tool textarea').first().focus();
  await page.keyboard.insertText('{"idempotencyKey": "mine"}');
  await planned(page, ({ variables }) => variables?.idempotencyKey === 'mine');
  const { response } = await execute(page);
  assert.equal(response.request().postDataJSON().variables.idempotencyKey, 'mine');
});

test('the examples of a conflict and of a query that is too expensive have these outcomes', async () => {
  await openTab('Conflict');
  const conflict = await execute(page);
  assert.deepEqual(conflict.data.updateUser.userErrors.map(({ code }) => code), ['CONFLICT']);
  assert.equal(conflict.data.updateUser.user.name, 'Ada Lovelace');
  await openTab('TooExpensive');
  const refused = await execute(page);
  assert.deepEqual(refused.errors.map(({ extensions }) => extensions.code), ['COST_LIMIT']);
});

const claims = (authorization) => authorization && JSON.parse(Buffer.from(authorization.split('.')[1], 'base64url'));

test('the page shows who is signed in, and the choice changes the answer', async () => {
  const { query } = offered.tabs[0];
  const [, ada] = query.match(/user\(id: "([^"]+)"\)/);
  await write(page, `{ viewer { name } user(id: "${ada}") { email } }`);
  const outcomes = {};
  for (const { name, headers } of offered.identities) {
    await sendAs(name);
    const { response, data, errors = [] } = await execute(page);
    const payload = claims(headers.Authorization);
    const sent = claims((await response.request().allHeaders()).authorization);
    assert.deepEqual([sent?.sub, sent?.roles], [payload?.sub, payload?.roles]);
    outcomes[name] = [data.viewer?.name ?? null, data.user.email, errors.map(({ extensions }) => extensions.code)];
    const text = await signedIn().locator('.claims').textContent();
    for (const part of payload ? [payload.sub, ...(payload.roles ?? []), 'until '] : ['anonymous']) {
      assert.ok(text.includes(part), `${name}: ${text}`);
    }
  }
  const [all, owner, other, staff, anonymous] = Object.values(outcomes);
  assert.deepEqual(all, ['Ada Lovelace', 'ada@example.com', []]);
  assert.deepEqual(owner, all);
  assert.deepEqual(other.slice(1), [null, ['FORBIDDEN']]);
  assert.notEqual(other[0], null);
  assert.deepEqual(staff.slice(1), ['ada@example.com', []]);
  assert.deepEqual(anonymous, [null, null, ['FORBIDDEN']]);
});

test('the choice is remembered in this tab of the browser', async () => {
  const { page: other } = await visit(browser);
  const choice = other.getByLabel('Send requests as');
  await choice.selectOption('other user');
  await other.waitForLoadState('networkidle');
  await other.reload();
  await choice.waitFor();
  assert.equal(await choice.inputValue(), 'other user');
});

test('the product has its name and a link to its documentation', async () => {
  await page.getByRole('banner').getByText('Partita', { exact: true }).waitFor();
  assert.match(await page.getByRole('link', { name: 'Docs' }).getAttribute('href'), /^https:.*\/docs$/);
});

for (const colorScheme of ['light', 'dark']) {
  test(`on a narrow screen everything can be reached (${colorScheme})`, async () => {
    const narrow = await visit(browser, { viewport: { width: 390, height: 844 }, colorScheme, reducedMotion: 'reduce' });
    const on = narrow.page;
    const see = (part) => on.getByRole('navigation', { name: 'Parts of this page' }).getByRole('button', { name: part }).click();
    const isInSight = async (...controls) => {
      assert.equal(await on.evaluate(() => document.documentElement.scrollWidth), 390);
      for (const control of controls) {
        const { x, y, width, height } = await control.boundingBox();
        assert.ok(x >= 0 && x + width <= 390 && y >= 0 && y + height <= 844, `${control} is at ${[x, y, width, height]}`);
      }
    };
    await isInSight(on.getByLabel('Send requests as'), on.getByRole('link', { name: 'Docs' }), on.getByRole('button', { name: 'Headers', exact: true }));
    await see('Operations');
    await on.getByRole('button', { name: 'Viewer', exact: true }).click();
    await isInSight(on.getByRole('button', { name: /^Execute query/ }), on.locator('.graphiql-query-editor'));
    await see('Operations');
    await on.getByRole('button', { name: 'Ada', exact: true }).click();
    await execute(on);
    await isInSight(on.locator('.result-window'));
    assert.ok((await on.locator('.result-window').boundingBox()).height > 500);
    await see('Plan');
    await on.locator('.plan-measured').first().waitFor();
    await isInSight(on.locator('.plan table'));
    assert.deepEqual(await seriousViolations(on), []);
    assert.deepEqual(narrow.faults, []);
    await narrow.page.context().close();
  });
}

test('nothing failed but the query that is refused, and the Content-Security-Policy held', () =>
  assert.deepEqual(faults.filter((fault) => !/422/.test(fault)), []));
