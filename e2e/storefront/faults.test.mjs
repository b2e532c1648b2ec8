// The gateway rejects a token, or answers in part, or what no component expects: the page says so, and goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storefront, throttle } from './fixture.mjs';

const shop = storefront();

/** Answers an operation differently from the gateway, once. */
async function once(page, operation, change) {
  let isFirst = true;
  await page.route('**/graphql', async (route) => {
    if (!isFirst || route.request().postDataJSON()?.operationName !== operation) return route.fallback();
    isFirst = false;
    const response = await route.fetch();
    const json = await response.json();
    change(json);
    await route.fulfill({ response, json });
  });
}

test('a token that is not trusted any more: one signs in again, and nothing that was typed is lost', async () => {
  const user = await shop.createUser();
  const page = await shop.visit(`/users/${user.id}`, user, { expected: /401/ });
  await page.getByRole('button', { name: 'Edit name' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed Before');
  let isExpired = true;
  await page.route('**/sign-in', (route) => {
    isExpired = false;
    return route.fallback();
  });
  await page.route('**/graphql', (route) => {
    const headers = route.request().headers();
    if (!isExpired || !headers.authorization) return route.fallback();
    return route.fallback({ headers: { ...headers, authorization: `${headers.authorization}x` } });
  });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
  await dialog.getByRole('button', { name: `Sign in as ${user.name}` }).click();
  await page.getByRole('heading', { level: 1, name: 'Typed Before' }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  const { name } = (await shop.ask('query($id: ID!) { user(id: $id) { name } }', { id: user.id }, user)).user;
  assert.equal(name, 'Typed Before');
});

test('one can try again before the time that the shop asks for is over', async () => {
  const page = await shop.visit('/nowhere', undefined, { expected: /429/ });
  await throttle(page, 'SignIn', 3600);
  await page.goto(`${shop.url}/sign-in`);
  await page.getByText(/^Trying again in 3[56]\d\d s$/).waitFor();
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByRole('list', { name: 'Demo users' }).waitFor();
  await page.locator('.banner').waitFor({ state: 'detached' });
});

test('a part that is missing is named, and the rest is shown', async () => {
  const user = await shop.createUser();
  const { id } = await shop.placeOrder(user);
  const page = await shop.visit('/sign-in', user);
  await once(page, 'Order', (json) => {
    json.data.order.items = null;
    json.errors = [
      { message: 'The table did not answer.', path: ['order', 'items'], extensions: { code: 'UNAVAILABLE' } },
    ];
  });
  await page.goto(`${shop.url}/orders/${id}`);
  const problem = page.getByRole('alert').filter({ hasText: 'A part of this page is missing' });
  await problem.getByText('The table did not answer.').waitFor();
  await page.getByText('€6.90').waitFor();
  await problem.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('list', { name: 'Lines' }).getByText('Green tea').waitFor();
  assert.equal(await problem.count(), 0);
});

test('a component that fails leaves the rest of the page, and works when it is tried again', async () => {
  const user = await shop.createUser();
  const page = await shop.visit('/sign-in', undefined, { expected: /null/ });
  await once(page, 'Profile', (json) => (json.data.user.name = null));
  await page.goto(`${shop.url}/users/${user.id}`);
  const problem = page.getByRole('alert').filter({ hasText: 'This page does not work' });
  await problem.waitFor();
  assert.ok(await page.getByRole('link', { name: 'Kettle & Key' }).isVisible());
  await problem.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: user.name }).waitFor();
});
