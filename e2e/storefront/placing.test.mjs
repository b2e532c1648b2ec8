// Places orders: at once on the page, once in the table, whatever is lost in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hold, storefront, throttle } from './fixture.mjs';

const shop = storefront();

const rows = (page) => page.getByRole('list', { name: 'Orders, newest first' }).getByRole('listitem');

/** Opens the list of a user's orders, so that it is in the cache, and then puts two kinds of tea into the basket. */
async function choosing(user, options) {
  const page = await shop.visit(`/users/${user.id}`, user, options);
  await page.getByRole('link', { name: 'Orders' }).waitFor();
  await page
    .getByRole('region', { name: 'Orders' })
    .getByText(/No orders yet|orders are shown/)
    .waitFor({ state: 'attached' });
  await page.getByRole('link', { name: 'New order', exact: true }).click();
  await page.getByRole('button', { name: 'One more: Green tea' }).click();
  await page.getByRole('button', { name: 'One more: Mint tea' }).click();
  await page.getByRole('button', { name: 'One more: Mint tea' }).click();
  assert.equal(await page.getByRole('complementary', { name: 'Basket' }).getByRole('status').textContent(), '€15.90');
  return page;
}

const quantity = (page, product) => page.getByRole('textbox', { name: product });
const place = (page) => page.getByRole('button', { name: 'Place order' }).click();

test('an order is in the list before the shop has answered, and in the table afterwards', async () => {
  const user = await shop.createUser();
  await shop.placeOrder(user);
  const page = await choosing(user);
  const response = await hold(page, 'PlaceOrder');
  await place(page);
  const row = rows(page).first();
  await row.getByText('Placing …').waitFor();
  assert.equal(await rows(page).count(), 2);
  assert.match(await row.textContent(), /2 lines.*€15\.90/);
  await page.getByRole('link', { name: 'Orders 2' }).waitFor();
  assert.equal((await shop.ordersOf(user)).length, 1, 'the response was not held back');

  response.release();
  await row.getByText('Pending').waitFor();
  assert.equal(await rows(page).count(), 2);
  await page.getByRole('link', { name: 'Orders 2' }).waitFor();
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.getByRole('list', { name: 'Lines' }).waitFor();

  const [{ id, status }] = await shop.ordersOf(user);
  assert.equal(status, 'PENDING');
  assert.equal(new URL(page.url()).pathname, `/orders/${id}`);
  const { order } = await shop.ask(
    'query($id: ID!) { order(id: $id) { total { amount } items(first: 9) { nodes { sku quantity } } } }',
    { id },
    user,
  );
  assert.deepEqual(order, {
    total: { amount: 1590 },
    items: {
      nodes: [
        { sku: 'TEA-001', quantity: 1 },
        { sku: 'TEA-003', quantity: 2 },
      ],
    },
  });
});

test('a rejected order leaves the list, and its error is at the line', async () => {
  const user = await shop.createUser();
  await shop.placeOrder(user);
  const page = await choosing(user);
  await quantity(page, 'Mint tea').fill('20000');
  const response = await hold(page, 'PlaceOrder');
  await place(page);
  await rows(page).first().getByText('Placing …').waitFor();

  response.release();
  await page.getByRole('button', { name: 'Correct it' }).waitFor();
  assert.equal(await rows(page).count(), 1, 'the optimistic order is still in the list');
  await page.getByRole('link', { name: 'Orders 1' }).waitFor();
  assert.equal((await shop.ordersOf(user)).length, 1);

  await page.getByRole('button', { name: 'Correct it' }).click();
  const input = quantity(page, 'Mint tea');
  assert.equal(await input.getAttribute('aria-invalid'), 'true');
  assert.equal(await quantity(page, 'Green tea').getAttribute('aria-invalid'), null);
  await input.fill('3');
  await place(page);
  await rows(page).nth(1).waitFor();
  const text = await page.getByText('Your order is placed.').boundingBox();
  const dismiss = await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).last().boundingBox();
  assert.ok(dismiss.x > text.x + text.width && dismiss.y < text.y + text.height, 'the notice is not one line');
  assert.equal((await shop.ordersOf(user)).length, 2);
});

test('an order whose response is lost is sent again with its key, also after a reload, and placed once', async () => {
  const user = await shop.createUser();
  const page = await choosing(user, { expected: /ERR_CONNECTION_RESET|ERR_FAILED/ });

  // The gateway places the order, but the page gets no answer.
  const keys = [];
  let answers = 0;
  await page.route('**/graphql', async (route) => {
    const { operationName, variables } = route.request().postDataJSON() ?? {};
    if (operationName !== 'PlaceOrder') return route.fallback();
    keys.push(variables.input.idempotencyKey);
    const response = await route.fetch();
    if (++answers < 3) return route.abort('connectionreset');
    await route.fulfill({ response });
  });
  await place(page);
  const again = page.getByRole('button', { name: 'Send it again' });
  await again.waitFor();
  const [{ id }] = await shop.ordersOf(user);
  await again.click();
  await again.waitFor();
  assert.equal(keys.length, 2);

  await page.goto(`${shop.url}/orders/new`);
  await page.getByText('This order may be placed already').waitFor();
  await place(page);
  await page.getByText('Your order is placed.').waitFor();
  assert.equal(new Set(keys).size, 1, `the keys differ: ${keys}`);
  assert.equal(keys.length, 3);
  assert.deepEqual(
    (await shop.ordersOf(user)).map((order) => order.id),
    [id],
  );
  await rows(page).first().waitFor();
  assert.equal(await rows(page).count(), 1);
});

test('an order that comes too fast waits in the list, and is then placed', async () => {
  const user = await shop.createUser();
  await shop.placeOrder(user);
  const page = await choosing(user, { expected: /429/ });
  await throttle(page, 'PlaceOrder', 3600);
  await place(page);
  await page.getByText('You were faster than the shop allows.').waitFor();
  await rows(page).first().getByText('Placing …').waitFor();
  assert.equal((await shop.ordersOf(user)).length, 1);

  await page.getByRole('button', { name: 'Try now' }).click();
  await rows(page).first().getByText('Pending').waitFor();
  assert.equal(await rows(page).count(), 2);
  assert.equal((await shop.ordersOf(user)).length, 2);
});

test('another order has another key', async () => {
  const user = await shop.createUser();
  const keys = [];
  const page = await choosing(user);
  page.on('request', (request) => {
    const { operationName, variables } = request.method() === 'POST' ? request.postDataJSON() : {};
    if (operationName === 'PlaceOrder') keys.push(variables.input.idempotencyKey);
  });
  await place(page);
  await page.getByText('Your order is placed.').waitFor();
  await page.getByRole('link', { name: 'New order', exact: true }).click();
  await page.getByText('Nothing yet.').waitFor();
  await page.getByRole('button', { name: 'One more: Green tea' }).click();
  await place(page);
  await rows(page).nth(1).getByText('Pending').waitFor();
  await rows(page).first().getByText('Pending').waitFor();
  assert.equal(new Set(keys).size, 2);
  assert.equal((await shop.ordersOf(user)).length, 2);
});
