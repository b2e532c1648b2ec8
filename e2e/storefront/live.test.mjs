// Two browsers: what one does, the other shows without being reloaded, also if the gateway dies in between.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { settle } from '../events.mjs';
import { startOwn } from '../process.mjs';
import { followUser, moveOrder, signIn, trustedFor } from '../shop.mjs';
import { ada, storefront } from './fixture.mjs';

let gateway;

const shop = storefront(async () => {
  gateway = await startOwn();
  return gateway.url;
});

after(() => gateway?.remove());

const lost = { expected: /WebSocket|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_FAILED/ };

const createStaff = async () => ({ ...(await shop.createUser('Stella Staff')), isStaff: true });
const live = (page) => page.getByRole('status').filter({ hasText: /^Live$/ });
const status = (page, name) => page.getByRole('status').filter({ hasText: name });
const list = (page) => page.getByRole('list', { name: 'Pending orders, newest first' });
const row = (page, { id }) => list(page).locator(`a[href="/orders/${id}"]`);
const followers = (page, count) => page.locator('[data-counter=followers]').getByText(count, { exact: true });

/** Fails if a page is loaded again. */
function assertNotReloaded(page) {
  page.on('load', () => assert.fail(`${page.url()} was loaded again`));
}

const url = () => ({ url: `${gateway.url}/graphql` });

/** Moves an order on as staff, by plain HTTP. */
async function move({ id }, version, to) {
  const as = await signIn(ada.id, { roles: ['ADMIN'] });
  const { userErrors } = await moveOrder(id, version, to, as, url());
  assert.deepEqual(userErrors, []);
}

test('an order: staff moves it on, and its customer sees that at once', async () => {
  const [customer, staff] = await Promise.all([shop.createUser(), createStaff()]);
  const order = await shop.placeOrder(customer);
  const theirs = await shop.visit(`/orders/${order.id}`, customer);
  const page = await shop.visit('/pending', staff);
  await live(theirs).waitFor();
  assertNotReloaded(theirs);

  await row(page, order).click();
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await status(theirs, 'Paid').waitFor();
  await page.getByRole('button', { name: 'Mark as shipped' }).click();
  await status(theirs, 'Shipped').waitFor();
  assert.equal(await theirs.getByRole('button', { name: 'Cancel order' }).count(), 0, 'it cannot be cancelled any more');
});

test('an order that changes while one is about to cancel it: the dialog shows that, and asks again', async () => {
  const customer = await shop.createUser();
  const order = await shop.placeOrder(customer);
  const page = await shop.visit(`/orders/${order.id}`, customer);
  await live(page).waitFor();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Cancel this order?' }).waitFor();
  await move(order, 1, 'PAID');
  await dialog.getByText('Meanwhile it is Paid. It can still be cancelled.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel it anyway' }).click();
  await status(page, 'Cancelled').first().waitFor();
  await dialog.waitFor({ state: 'detached' });
});

test('a profile: somebody follows, and the counter of the other browser changes', async () => {
  const [user, visitor] = await Promise.all([shop.createUser('Paula Popular'), shop.createUser()]);
  const own = await shop.visit(`/users/${user.id}`, user);
  const anonymous = await shop.visit(`/users/${user.id}`);
  const page = await shop.visit(`/users/${user.id}`, visitor);
  for (const other of [own, anonymous]) {
    await followers(other, '0').waitFor();
    assertNotReloaded(other);
  }
  await page.getByRole('button', { name: 'Follow Paula Popular', exact: true }).click();
  for (const other of [own, anonymous, page]) await followers(other, '1').waitFor();
  await page.getByRole('button', { name: 'Unfollow Paula Popular' }).click();
  for (const other of [own, anonymous, page]) await followers(other, '0').waitFor();
});

test('the list of staff: orders arrive as they are placed, newest first, and leave', async () => {
  const [customer, staff] = await Promise.all([shop.createUser('Carl Customer'), createStaff()]);
  const page = await shop.visit('/pending', staff, { viewport: { width: 390, height: 780 } });
  await live(page).waitFor();
  await list(page).waitFor();
  assertNotReloaded(page);

  const first = await shop.placeOrder(customer);
  await row(page, first).getByText('Carl Customer').waitFor();
  await status(page, /^A new order of Carl Customer\. \d+ pending orders shown\.$/).waitFor();
  const second = await shop.placeOrder(customer);
  await row(page, second).waitFor();
  const links = await list(page).getByRole('link').evaluateAll((all) => all.map(({ pathname }) => pathname));
  assert.deepEqual(links.slice(0, 2), [`/orders/${second.id}`, `/orders/${first.id}`]);

  const theirs = await shop.visit(`/orders/${second.id}`, customer);
  await theirs.getByRole('button', { name: 'Cancel order' }).click();
  await theirs.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await row(page, second).waitFor({ state: 'detached' });
  await status(page, /^The order of Carl Customer is not pending any more\./).waitFor();
  assert.ok(await row(page, first).isVisible());
});

test('the list of staff: the focus remains at its place, and what one looks at does not move', async () => {
  const [customer, staff] = await Promise.all([shop.createUser(), createStaff()]);
  const older = await shop.placeOrder(customer);
  const newer = await shop.placeOrder(customer);
  const page = await shop.visit('/pending', staff, { viewport: { width: 390, height: 700 } });
  await live(page).waitFor();
  await row(page, newer).focus();
  await move(newer, 1, 'PAID');
  await row(page, newer).waitFor({ state: 'detached' });
  const focused = await page.evaluate(() => document.activeElement.pathname);
  assert.equal(focused, `/orders/${older.id}`);

  const seen = list(page).getByRole('link').nth(12);
  const path = await seen.getAttribute('href');
  await seen.scrollIntoViewIfNeeded();
  const place = async () => (await list(page).locator(`a[href="${path}"]`).boundingBox()).y;
  const before = await place();
  const placed = await shop.placeOrder(customer);
  await row(page, placed).waitFor();
  assert.ok(Math.abs((await place()) - before) < 1, 'what one looks at has moved'); // the height of a row is a fraction
});

test('the list of staff shows more, and is not for others', async () => {
  const [customer, staff] = await Promise.all([shop.createUser(), createStaff()]);
  const page = await shop.visit('/pending', staff);
  const links = list(page).getByRole('link');
  await links.nth(19).waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await links.nth(39).waitFor();

  for (const other of [customer, undefined]) {
    const denied = await shop.visit('/pending', other);
    await denied.getByText('This page is for staff').waitFor();
    assert.equal(await list(denied).count(), 0);
    assert.equal(await denied.getByRole('link', { name: 'Pending orders' }).count(), 0);
  }
});

/**
 * Lets no WebSocket of a page through until `open` is called. `requests` are the payloads of what it has subscribed to
 * since then, and `changes` the kinds of the events of the list of orders.
 */
async function gate(page) {
  let isClosed = false;
  const seen = { requests: [], changes: [] };
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    if (isClosed) return socket.close({ code: 1013, reason: 'not yet' });
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { type, payload } = JSON.parse(text);
      if (type === 'subscribe') seen.requests.push(payload);
      server.send(text);
    });
    server.onMessage((text) => {
      const { payload } = JSON.parse(text);
      if (payload?.data?.ordersByStatus) seen.changes.push(payload.data.ordersByStatus.change);
      socket.send(text);
    });
  });
  return Object.assign(seen, {
    close: () => (isClosed = true),
    open() {
      isClosed = false;
      Object.assign(seen, { requests: [], changes: [] });
    },
  });
}

test('the gateway dies and returns: the pages say so, and show all that has happened meanwhile', async () => {
  const [customer, staff, popular] = await Promise.all([shop.createUser(), createStaff(), shop.createUser()]);
  const order = await shop.placeOrder(customer);
  const paths = [
    ['/sign-in', customer],
    ['/sign-in', staff],
    ['/sign-in'],
  ];
  const pages = await Promise.all(paths.map(([path, user]) => shop.visit(path, user, lost)));
  const gates = await Promise.all(pages.map(gate));
  const [theirs, page, profile] = pages;
  await theirs.goto(`${shop.url}/orders/${order.id}`);
  await page.goto(`${shop.url}/pending`);
  await profile.goto(`${shop.url}/users/${popular.id}`);
  await live(theirs).waitFor();
  await row(page, order).waitFor();
  await followers(profile, '0').waitFor();
  pages.forEach(assertNotReloaded);
  await settle(gateway.url); // before, the gateway may send the state again instead of events
  const last = await shop.placeOrder(customer);
  await row(page, last).waitFor();

  gates.forEach(({ close }) => close());
  await gateway.stop('SIGKILL');
  for (const one of pages) await status(one, 'The shop cannot be reached.').waitFor();
  await status(page, 'Connecting …').waitFor();
  await gateway.start();
  await move(order, 1, 'PAID');
  const placed = await shop.placeOrder(customer);
  const brief = await shop.placeOrder(customer);
  await move(brief, 1, 'CANCELLED');
  await followUser(customer.as, popular.id, url());
  assert.equal(await row(page, placed).count(), 0, 'the page is not cut off');

  gates.forEach(({ open }) => open());
  await status(theirs, 'Paid').waitFor();
  await row(page, placed).waitFor();
  await row(page, order).waitFor({ state: 'detached' });
  await followers(profile, '1').waitFor();
  assert.equal(await row(page, brief).count(), 0);
  for (const one of pages) await one.locator('.banner').waitFor({ state: 'detached' });

  const [{ requests, changes }] = gates.slice(1);
  assert.ok(requests.at(-1).extensions?.live?.position, 'the page has not continued where it was');
  assert.deepEqual(changes, ['REMOVED', 'ADDED', 'ADDED', 'REMOVED']);
});

test('a token that expires: one signs in again, and the page goes on where it was', async () => {
  const user = await shop.createUser();
  const order = await shop.placeOrder(user);
  const claims = { exp: trustedFor(5) };
  const page = await shop.visit(`/orders/${order.id}`, user, { claims, expected: /401|WebSocket/ });
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
  await dialog.waitFor();
  await move(order, 1, 'PAID');
  const [response] = await Promise.all([
    page.waitForResponse('**/sign-in'),
    dialog.getByRole('button', { name: `Sign in as ${user.name}` }).click(),
  ]);
  assert.ok(response.ok());
  await status(page, 'Paid').waitFor();
  await live(page).waitFor();
  await move(order, 2, 'SHIPPED');
  await status(page, 'Shipped').waitFor();
});
