// Subscribes in the playground as a person does, in a real browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { boxes, panel, visit, write } from './playground.mjs';
import { followUser, newUser } from './shop.mjs';

let browser, page, faults, user;

before(async () => {
  [browser, user] = await Promise.all([launch(), newUser({ name: 'Paula Popular' })]);
  ({ page, faults } = await visit(browser));
});

after(() => browser.close());

/** Waits until the answer has a text. Monaco writes spaces as no-break spaces. */
const answered = (text) =>
  page.locator('.result-window .view-lines').filter({ hasText: new RegExp(text.replaceAll(' ', '\\s')) }).waitFor();

const run = () => page.getByRole('button', { name: /^Execute query/ }).click();
const stop = () => page.getByRole('button', { name: /^Stop query/ }).click();
const cells = (row) => panel(page).getByRole('row', { name: new RegExp(`^${row}`) }).allTextContents();

test('a subscription shows its first state and each event, with what both have consumed', async () => {
  const plan = await write(page, `subscription { user(id: "${user.id}") { name followerCount } }`);
  assert.equal(plan.event.requests, 0);
  await panel(page).getByRole('heading', { name: 'Each event' }).waitFor();
  assert.equal((await boxes(page)).length, 1, 'an event reads nothing');
  await run();
  await answered('"followerCount": 0');
  assert.match((await cells('Last run'))[0], /^Last run1/);
  assert.match((await boxes(page))[0].measured, /^Measured 1 read unit, 1 item/);
  await followUser((await newUser()).as, user.id);
  await answered('"followerCount": 1');
  assert.match((await cells('Last run'))[1], /^Last run0/);
  await stop();
});

test('a connection has the identity that is chosen', async () => {
  await write(page, 'subscription { ordersByStatus(status: PENDING, last: 1) { change connection { nodes { id } } } }');
  await run();
  await answered('"change": "CURRENT"');
  await stop();
  await page.getByLabel('Send requests as').selectOption('other user');
  await run();
  await answered('"code": "FORBIDDEN"');
});

test('nothing failed, and the Content-Security-Policy held', () => assert.deepEqual(faults, []));
