// The playground's tabs, who sends its requests, and its looks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

test('there is a tab for each example', async () => {
  const names = offered.tabs.map(({ query }) => query.match(/^(?:query|mutation|subscription) (\w+)/m)[1]);
  assert.ok(names.length > 10);
  assert.deepEqual(await page.locator('.graphiql-tab-button').allTextContents(), names);
});

/** Opens a tab, and waits for its plan: GraphiQL finds a document's operations a moment after it is shown. */
const openTab = (name) =>
  Promise.all([
    planned(page, ({ operationName }) => operationName === name),
    page.locator('.graphiql-tab-button', { hasText: name }).click(),
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
  await page.locator('.graphiql-logo').getByText('Partita', { exact: true }).waitFor();
  assert.match(await page.getByRole('link', { name: 'Docs' }).getAttribute('href'), /^https:.*\/docs$/);
});

for (const colorScheme of ['light', 'dark']) {
  test(`on a narrow screen everything can be reached (${colorScheme})`, async () => {
    const narrow = await visit(browser, { viewport: { width: 390, height: 844 }, colorScheme, reducedMotion: 'reduce' });
    await narrow.page.locator('.plan-box').first().waitFor();
    assert.equal(await narrow.page.evaluate(() => document.documentElement.scrollWidth), 390);
    const controls = [
      narrow.page.getByLabel('Send requests as'),
      narrow.page.getByRole('link', { name: 'Docs' }),
      narrow.page.getByRole('button', { name: /^Execute query/ }),
      narrow.page.getByRole('button', { name: 'Headers', exact: true }),
      narrow.page.getByRole('button', { name: 'Hide Plan' }),
      narrow.page.locator('.result-window'),
    ];
    for (const control of controls) {
      await control.scrollIntoViewIfNeeded();
      const { x, width } = await control.boundingBox();
      assert.ok(x >= 0 && x + width <= 390, `${control} is at ${x} to ${x + width}`);
    }
    await execute(narrow.page);
    await narrow.page.locator('.plan-measured').first().waitFor();
    for (const selector of ['.plan-field', '.plan-condition', '.plan-kind', '.plan-measured', '.claims', '.plan-frame-name']) {
      const ratio = await contrast(narrow.page, selector);
      assert.ok(ratio >= 4.5, `${selector} has the contrast ${ratio.toFixed(2)}`);
    }
    assert.deepEqual(narrow.faults, []);
    await narrow.page.context().close();
  });
}

/** The contrast of a text with what is behind it: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
const contrast = (on, selector) =>
  on.locator(selector).first().evaluate((element) => {
    const numbers = (color) => color.match(/[\d.]+/g).map(Number);
    const over = ([r, g, b, a = 1], below) => [r, g, b].map((c, i) => a * c + (1 - a) * below[i]);
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.unshift(numbers(getComputedStyle(at).backgroundColor));
    const behind = layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
    const luminance = (color) => {
      const [r, g, b] = color.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [light, dark] = [luminance(over(numbers(getComputedStyle(element).color), behind)), luminance(behind)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  });

test('nothing failed but the query that is refused, and the Content-Security-Policy held', () =>
  assert.deepEqual(faults.filter((fault) => !/422/.test(fault)), []));
