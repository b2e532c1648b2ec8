// The gateway throttles, dies and returns: the page waits, says why, and goes on.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { root, startOwn } from '../process.mjs';
import { ada, storefront } from './fixture.mjs';

let gateway;

// Each user's budget is enough for an order, and then for a page of followers (at worst 7 units) every few seconds.
const budget = { READ_UNITS_BUCKET: '100', READ_UNITS_RESTORE: '2' };

const shop = storefront(async () => {
  gateway = await startOwn(budget);
  return gateway.url;
});

after(() => gateway?.remove());

const rows = (page) => page.getByRole('list', { name: 'Orders, newest first' }).getByRole('listitem');
const banner = (page, text) => page.getByRole('status').filter({ hasText: text });

test('a budget that is used up: the page says so, waits, and goes on by itself', async () => {
  const user = await shop.createUser();
  const page = await shop.visit('/sign-in', user, { expected: /429/ });
  for (let i = 0; i < 4; i++) await shop.spend(user, 50); // most of it
  let isSettled = false;
  const waits = banner(page, 'You were faster than the shop allows.')
    .waitFor()
    .finally(() => (isSettled = true));
  const visit = page.goto(`${shop.url}/users/${ada.id}/followers`);
  // Several at a time, and while the page loads: on a busy machine less would be spent than comes back.
  while (!isSettled) await Promise.all([3, 3, 3].map((people) => shop.spend(user, people)));
  await Promise.all([visit, waits]);
  assert.match(await page.locator('.banner').textContent(), /Trying again/);
  await page.getByRole('list', { name: 'Followers' }).waitFor();
  await page.locator('.banner').waitFor({ state: 'detached' });
});

test('the gateway dies and returns: queries wait for it, and an order is sent again', async () => {
  const user = await shop.createUser();
  await shop.placeOrder(user);
  const expected = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_FAILED/;
  const page = await shop.visit(`/users/${user.id}`, user, { expected });
  await rows(page).first().waitFor();
  await page.getByRole('link', { name: 'New order', exact: true }).click();
  await page.getByRole('button', { name: 'One more: Green tea' }).click();

  await gateway.stop('SIGKILL');
  await page.getByRole('button', { name: 'Place order' }).click();
  const again = page.getByRole('button', { name: 'Send it again' });
  await again.waitFor();
  await page.getByRole('link', { name: 'Followers' }).click();
  await banner(page, 'The shop cannot be reached.').waitFor();
  await page.reload();
  await banner(page, 'The shop cannot be reached.').waitFor();

  const server = join(root, 'e2e/storefront/serve.mjs');
  const served = promisify(execFile)(process.execPath, [server], { env: { ...process.env, PARTITA_URL: gateway.url } });
  await assert.rejects(served, { code: 1, stderr: /^storefront: no gateway is at http.*`make run`.*\n$/ });

  await gateway.start();
  const goesOn = page.getByText('Nobody follows yet').waitFor();
  await Promise.race([goesOn, page.getByRole('button', { name: 'Try now' }).click()]);
  await goesOn;
  await page.locator('.banner').waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'New order', exact: true }).click();
  await page.getByText('This order may be placed already').waitFor();
  await page.getByRole('button', { name: 'Place order' }).click();
  await page.getByText('Your order is placed.').waitFor();
  assert.equal((await shop.ordersOf(user)).length, 2);
});
