// What is the same on all pages: the keyboard, names of controls, contrast, narrow screens, costs, types.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../process.mjs';
import { ada, storefront } from './fixture.mjs';
import { lowContrast, unnamed } from './inspect.mjs';

const shop = storefront();

test('the app compiles', async () => {
  const tsc = join(root, 'e2e/node_modules/typescript/bin/tsc');
  const compiled = promisify(execFile)(process.execPath, [tsc, '--project', join(root, 'e2e/storefront')]);
  await assert.doesNotReject(compiled.catch(({ stdout }) => Promise.reject(new Error(stdout))));
});

/** The pages with something that shows that they are complete. */
async function pages() {
  const [{ id }] = await shop.ordersOf(ada);
  return [
    ['/sign-in', (page) => page.getByRole('list', { name: 'Demo users' })],
    [`/users/${ada.id}`, (page) => page.getByRole('list', { name: 'Orders, newest first' })],
    [`/users/${ada.id}/followers`, (page) => page.getByRole('list', { name: 'Followers' })],
    [`/orders/${id}`, (page) => page.getByRole('list', { name: 'Lines' })],
    ['/pending', (page) => page.getByRole('list', { name: 'Pending orders, newest first' })],
    ['/orders/new', (page) => page.getByRole('complementary', { name: 'Basket' })],
    ['/nowhere', (page) => page.getByRole('heading', { name: 'There is no such page' })],
  ];
}

for (const colorScheme of ['light', 'dark']) {
  test(`every page is readable in ${colorScheme}, complete at 390 px, and has a name for each control`, async () => {
    const page = await shop.visit('/sign-in', { ...ada, isStaff: true }, {
      colorScheme,
      viewport: { width: 390, height: 780 },
      reducedMotion: 'reduce',
    });
    for (const [path, landmark] of await pages()) {
      await page.goto(shop.url + path);
      await landmark(page).waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${path} is ${width} px wide`);
      assert.deepEqual(await page.evaluate(lowContrast), [], path);
      assert.deepEqual(await page.evaluate(unnamed), [], path);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path);
      assert.equal(await page.getByRole('main').count(), 1, path);
      assert.match(await page.title(), /. · Kettle & Key$/);
    }
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(background, colorScheme === 'dark' ? 'rgb(23, 22, 19)' : 'rgb(248, 245, 239)');
  });
}

test('dialogs and errors are readable in both schemes', async () => {
  const user = await shop.createUser();
  const order = await shop.placeOrder(user);
  for (const colorScheme of ['light', 'dark']) {
    const page = await shop.visit(`/orders/${order.id}`, user, {
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width: 390, height: 780 },
    });
    await page.getByRole('button', { name: 'Cancel order' }).click();
    assert.deepEqual(await page.evaluate(lowContrast), []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    await page.goto(`${shop.url}/users/${user.id}`);
    await page.getByRole('button', { name: 'Edit name' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(' ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    assert.deepEqual(await page.evaluate(lowContrast), []);
    assert.deepEqual(await page.evaluate(unnamed), []);
  }
});

test('by keyboard alone somebody signs in, opens an order, and cancels it', async () => {
  const user = await shop.createUser();
  const order = await shop.placeOrder(user);
  const page = await shop.visit('/sign-in', user);
  await page.getByRole('list', { name: 'Demo users' }).waitFor();

  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await tabTo(page, /^AL ?Ada Lovelace/);
  await tabTo(page, /Tess Tester/, 'Shift+Tab');
  assert.notEqual(
    await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle),
    'none',
    'the focus is not visible',
  );
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Orders, newest first' }).waitFor();
  assert.equal(await focused(page), user.name, 'the focus is not at the new page');

  await tabTo(page, /€6\.90/);
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Lines' }).waitFor();
  await tabTo(page, /^Cancel order$/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  assert.ok(
    await dialog.evaluate((element) => element.contains(document.activeElement)),
    'the focus is not in the dialog',
  );
  await tabTo(page, /^Cancel order$/);
  await page.keyboard.press('Space');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Cancelled', { exact: true }).waitFor();
  const { status } = (await shop.ask('query($id: ID!) { order(id: $id) { status } }', { id: order.id }, user)).order;
  assert.equal(status, 'CANCELLED');
});

const focused = (page) => page.evaluate(() => document.activeElement.textContent);

async function tabTo(page, text, key = 'Tab') {
  for (let presses = 0; presses < 40; presses++) {
    if (text.test(await focused(page))) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${text} cannot be reached by ${key}`);
}

test('nothing moves if one prefers that', async () => {
  const moving = async (reducedMotion) => {
    const page = await shop.visit('/sign-in', undefined, { reducedMotion });
    await page.route('**/graphql', () => undefined); // the skeleton stays
    await page.reload({ waitUntil: 'domcontentloaded' });
    await page.locator('.skeleton span').first().waitFor();
    return page.evaluate(() => document.getAnimations().length);
  };
  assert.ok((await moving('no-preference')) > 0);
  assert.equal(await moving('reduce'), 0);
});

test('each page shows what it has cost, by operation', async () => {
  const page = await shop.visit('/sign-in', ada);
  await page.getByRole('list', { name: 'Demo users' }).waitFor(); // the response of this page does not count
  const responses = [];
  const events = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const { type, payload: result } = JSON.parse(payload);
      if (type === 'next') events.push(result);
    }),
  );
  page.on('response', (response) => {
    if (response.url().endsWith('/graphql') && response.request().method() === 'POST') responses.push(response);
  });
  await page.goto(`${shop.url}/users/${ada.id}/following`);
  await page.getByRole('list', { name: 'Following' }).waitFor();
  const footer = page.getByRole('contentinfo');
  await footer.locator('summary').click();
  await footer.getByRole('rowheader', { name: 'UserChanges' }).waitFor();
  const operations = responses.map((response) => response.request().postDataJSON().operationName);
  operations.push('UserChanges');
  operations.sort();
  assert.deepEqual(operations, ['Following', 'Profile', 'UserChanges']);
  assert.deepEqual((await footer.getByRole('rowheader').allTextContents()).sort(), operations);

  const answers = await Promise.all(responses.map((response) => response.json()));
  const costs = [...answers, ...events].map(({ extensions }) => extensions.cost);
  const sum = (key) => costs.reduce((total, cost) => total + cost[key], 0);
  const text = (await footer.locator('summary').textContent()).replace(/\s+/g, ' ');
  assert.ok(sum('requests') > 0 && sum('readUnits') > 0);
  assert.equal(
    text.trim(),
    `Read units ${sum('readUnits')} of at most ${sum('estimatedReadUnits')}` +
      `DynamoDB requests ${sum('requests')} Waves ${sum('waves')}`,
  );

  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('list', { name: 'Orders, newest first' }).waitFor();
  assert.deepEqual([...new Set(await footer.getByRole('rowheader').allTextContents())], ['Orders']);
});
