// Scrolls through orders, filters them by days, and opens one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ada, storefront } from './fixture.mjs';

const shop = storefront();

const links = (page) => page.getByRole('list', { name: 'Orders, newest first' }).getByRole('link');
const idsOf = async (page) =>
  (await links(page).evaluateAll((all) => all.map((link) => link.pathname.split('/').at(-1)))).map(decodeURIComponent);

/** Waits until so many orders are shown. */
const shown = (page, count) =>
  links(page)
    .nth(count - 1)
    .waitFor();

test('scrolling shows all orders, newest first, each of them once', async () => {
  const expected = await shop.ordersOf(ada);
  assert.ok(expected.length > 30, 'there are too few orders to scroll');
  const page = await shop.visit(`/users/${ada.id}`, ada);
  await shown(page, 10);
  while ((await links(page).count()) < expected.length) {
    const before = await links(page).count();
    await page.mouse.wheel(0, 5000);
    await shown(page, before + 1);
  }
  assert.deepEqual(
    await idsOf(page),
    expected.map(({ id }) => id),
  );
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
});

test('a button shows more without scrolling, and keeps its place in the list', async () => {
  // As if there were no observer, as in a browser that is read aloud.
  const page = await shop.visit('/sign-in');
  await page.addInitScript(
    () =>
      (window.IntersectionObserver = class {
        observe() {}
        disconnect() {}
      }),
  );
  await page.reload();
  await page.getByRole('button', { name: ada.name }).click();
  await shown(page, 10);
  assert.equal(await links(page).count(), 10);
  await page.getByRole('button', { name: 'Show more' }).press('Enter');
  await shown(page, 20);
  assert.equal(await links(page).count(), 20);
  await page.getByText('20 orders are shown.').waitFor();
});

test('days select orders, both ends included, and the address keeps them', async () => {
  const all = await shop.ordersOf(ada);
  const [from, to] = [all[12].createdAt.slice(0, 10), all[7].createdAt.slice(0, 10)];
  const expected = all.filter(({ createdAt }) => createdAt.slice(0, 10) >= from && createdAt.slice(0, 10) <= to);
  assert.ok(expected.length >= 6 && expected.length <= 10);

  const page = await shop.visit(`/users/${ada.id}`, ada);
  await shown(page, 10);
  await page.getByLabel('From').fill(from);
  await page.getByLabel('To').fill(to);
  await page.waitForFunction((count) => document.querySelectorAll('.orders a').length === count, expected.length);
  assert.deepEqual(
    await idsOf(page),
    expected.map(({ id }) => id),
  );

  await page.reload();
  await shown(page, expected.length);
  assert.deepEqual(
    await idsOf(page),
    expected.map(({ id }) => id),
  );
  assert.equal(await page.getByLabel('From').inputValue(), from);

  await page.getByRole('button', { name: 'All days' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.orders a').length > count, expected.length);
  assert.equal((await idsOf(page))[0], all[0].id);
  assert.equal(await page.evaluate(() => document.activeElement.type), 'date', 'the focus is lost');
});

test('days without orders, and days in the wrong order, are explained', async () => {
  const page = await shop.visit(`/users/${ada.id}?from=2001-01-01&to=2001-12-31`, ada);
  await page.getByText('No orders on these days').waitFor();
  await page.getByLabel('To').fill('2000-12-31');
  await page.getByRole('alert').filter({ hasText: 'The first day is after the last one.' }).waitFor();
});

test('an order has its lines, and their sum is its total', async () => {
  const [{ id }] = await shop.ordersOf(ada);
  const { order } = await shop.ask(
    `query($id: ID!) {
      order(id: $id) { total { amount } items(first: 96) { nodes { name quantity price { amount } } } }
    }`,
    { id },
  );
  const page = await shop.visit(`/users/${ada.id}`, ada);
  await links(page).first().click();
  const lines = page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await lines.first().waitFor();
  assert.equal(new URL(page.url()).pathname, `/orders/${id}`);
  const texts = await lines.allTextContents();
  assert.equal(texts.length, order.items.nodes.length);
  for (const [index, { name, quantity, price }] of order.items.nodes.entries()) {
    assert.ok(texts[index].includes(name) && texts[index].includes(`${quantity} × €`), texts[index]);
    assert.ok(texts[index].endsWith(euros(quantity * price.amount)), texts[index]);
  }
  assert.ok((await page.locator('.total').textContent()).endsWith(euros(order.total.amount)));

  await page.getByRole('link', { name: 'All orders' }).click();
  await shown(page, 10);
});

const euros = (cents) => `€${(cents / 100).toFixed(2)}`;

test("another user's order is private, and looks as one that does not exist", async () => {
  const [{ id }] = await shop.ordersOf(ada);
  const user = await shop.createUser();
  const page = await shop.visit(`/orders/${id}`, user);
  await page.getByRole('heading', { name: 'You may not see this order' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.getByRole('main').getByRole('link', { name: 'Sign in as somebody else' }).click();
  await page.getByRole('button', { name: ada.name }).click();
  await page.getByRole('heading', { level: 1, name: ada.name }).waitFor();
  await page.goto(`${shop.url}/orders/${btoa('Order:none').replaceAll('=', '')}`);
  await page.getByRole('heading', { name: 'You may not see this order' }).waitFor();
});
