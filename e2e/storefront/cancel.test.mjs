// Cancels orders, which meanwhile change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveOrder } from '../shop.mjs';
import { deafen, storefront } from './fixture.mjs';

const shop = storefront();

const statusOf = async (user, { id }) =>
  (await shop.ask('query($id: ID!) { order(id: $id) { status } }', { id }, user)).order.status;

/** Moves an order on, as those do who pack and ship. */
async function move({ id }, version, status) {
  const { order, userErrors } = await moveOrder(id, version, status);
  assert.deepEqual(userErrors, []);
  assert.equal(order.status, status);
}

/** A new order in the dialog that asks whether to cancel it. The page does not hear of what others do. */
async function cancelling(user, order) {
  const page = await shop.visit('/sign-in', user);
  await deafen(page);
  await page.goto(`${shop.url}/orders/${order.id}`);
  const open = page.getByRole('button', { name: 'Cancel order' });
  await open.click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return { page, open, dialog, confirm: dialog.getByRole('button', { name: 'Cancel order' }) };
}

test('an order is cancelled', async () => {
  const user = await shop.createUser();
  const order = await shop.placeOrder(user);
  const { page, open, dialog, confirm } = await cancelling(user, order);
  await confirm.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Cancelled', { exact: true }).waitFor();
  assert.equal(await open.count(), 0);
  assert.equal(await statusOf(user, order), 'CANCELLED');
});

test('Escape keeps an order, and the focus is where it was', async () => {
  const user = await shop.createUser();
  const order = await shop.placeOrder(user);
  const { page, dialog } = await cancelling(user, order);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Cancel order');
  assert.equal(await statusOf(user, order), 'PENDING');
});

test('a second browser was faster: nothing is left to do', async () => {
  const user = await shop.createUser();
  const order = await shop.placeOrder(user);
  const mine = await cancelling(user, order);
  const theirs = await cancelling(user, order);
  await theirs.confirm.click();
  await theirs.dialog.waitFor({ state: 'detached' });

  await mine.confirm.click();
  await mine.dialog.getByRole('heading', { name: 'The order has changed' }).waitFor();
  assert.match(
    await mine.dialog.getByRole('alert').textContent(),
    /Meanwhile it is Cancelled\. Nothing is left to do\./,
  );
  await mine.dialog.getByRole('button', { name: 'Close' }).click();
  await mine.dialog.waitFor({ state: 'detached' });
  await mine.page.getByText('Cancelled', { exact: true }).waitFor();
});

test('an order that was paid meanwhile is cancelled only after another decision', async () => {
  const user = await shop.createUser();
  const order = await shop.placeOrder(user);
  const { page, dialog, confirm } = await cancelling(user, order);
  await move(order, 1, 'PAID');
  await confirm.click();
  await dialog.getByText(/Meanwhile it is Paid\. It can still be cancelled\./).waitFor();
  assert.equal(await statusOf(user, order), 'PAID');

  await dialog.getByRole('button', { name: 'Cancel it anyway' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Cancelled', { exact: true }).waitFor();
  assert.equal(await statusOf(user, order), 'CANCELLED');
});

test('an order that was shipped meanwhile can no longer be cancelled', async () => {
  const user = await shop.createUser();
  const order = await shop.placeOrder(user);
  const { page, dialog, confirm } = await cancelling(user, order);
  await move(order, 1, 'PAID');
  await move(order, 2, 'SHIPPED');
  await confirm.click();
  await dialog.getByText(/Meanwhile it is Shipped\. It can no longer be cancelled\./).waitFor();
  assert.equal(await dialog.getByRole('button', { name: /Cancel/ }).count(), 0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Shipped', { exact: true }).waitFor();
  assert.equal(await statusOf(user, order), 'SHIPPED');
});
