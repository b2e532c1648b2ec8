// Signs in, signs up, and changes a name while somebody else does.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { ada, storefront } from './fixture.mjs';

const shop = storefront();

const userOf = async ({ id }) => (await shop.ask('query($id: ID!) { user(id: $id) { name version } }', { id })).user;

test('somebody signs in as one of several demo users, and signs out', async () => {
  const page = await shop.visit('/');
  const users = page.getByRole('list', { name: 'Demo users' }).getByRole('button');
  await users.first().waitFor();
  assert.ok((await users.count()) >= 5);
  await users.filter({ hasText: ada.name }).click();
  await page.waitForURL(`${shop.url}/users/${ada.id}`);
  await page.getByRole('heading', { level: 1, name: ada.name }).waitFor();
  await page.getByRole('list', { name: 'Orders, newest first' }).waitFor();
  assert.equal(await page.title(), `${ada.name} · Kettle & Key`);
  assert.doesNotMatch(await page.getByRole('contentinfo').textContent(), /SignIn/, 'the page before counts');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Open an account' }).waitFor();
  await page.goto(`${shop.url}/users/${ada.id}`);
  await page.getByText('Orders are private').waitFor();
});

test('a visitor sees profiles, but nothing private', async () => {
  const page = await shop.visit('/');
  await page.getByRole('link', { name: 'look around without signing in' }).click();
  await page.getByRole('heading', { level: 1, name: ada.name }).waitFor();
  await page.getByText('Orders are private').waitFor();
  assert.equal(await page.getByRole('button', { name: /Follow|Edit/ }).count(), 0);
  await page.getByRole('link', { name: 'Followers' }).click();
  await page.getByRole('list', { name: 'Followers' }).getByRole('link').first().waitFor();
});

test('mistakes in a new account are shown at their fields, and the account works when they are corrected', async () => {
  const page = await shop.visit('/sign-in');
  const email = page.getByLabel('E-mail address');
  await page.getByLabel('Name').fill('Nora Newcomer');
  await email.fill('ada@example.com');
  await page.getByRole('button', { name: 'Open an account' }).click();
  const error = page.getByRole('alert');
  await error.waitFor();
  assert.equal(await email.getAttribute('aria-invalid'), 'true');
  assert.equal(await email.getAttribute('aria-describedby'), await error.getAttribute('id'));
  assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), null);

  await email.fill(`${randomUUID()}@example.com`);
  await page.getByRole('button', { name: 'Open an account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Nora Newcomer' }).waitFor();
  await page.getByText('No orders yet').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  assert.deepEqual(await userOf({ id }), { name: 'Nora Newcomer', version: 1 });
});

/** Opens the dialog on a user's own profile. */
async function editing(user) {
  const page = await shop.visit(`/users/${user.id}`, user);
  await page.getByRole('button', { name: 'Edit name' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit name' });
  await dialog.waitFor();
  return { page, dialog, input: dialog.getByLabel('Name'), save: dialog.getByRole('button', { name: /^Save/ }) };
}

test('a name is changed, and the focus is where it was', async () => {
  const user = await shop.createUser();
  const { page, dialog, input, save } = await editing(user);
  await input.fill('Tess Renamed');
  await save.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Tess Renamed' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Edit name');
  assert.deepEqual(await userOf(user), { name: 'Tess Renamed', version: 2 });
});

test('a name that is not allowed is an error at its field', async () => {
  const user = await shop.createUser();
  const { dialog, input, save } = await editing(user);
  await input.fill('   ');
  await save.click();
  await dialog.getByRole('alert').waitFor();
  assert.equal(await input.getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await userOf(user), { name: user.name, version: 1 });
});

for (const [choice, remains] of [
  ['Save mine', 'Mine'],
  ['Keep theirs', 'Theirs'],
]) {
  test(`two browsers change a name, and the second one decides: ${choice}`, async () => {
    const user = await shop.createUser();
    const mine = await editing(user);
    const theirs = await editing(user);
    await theirs.input.fill('Theirs');
    await theirs.save.click();
    await theirs.dialog.waitFor({ state: 'detached' });

    await mine.input.fill('Mine');
    await mine.save.click();
    await mine.dialog.getByText('The name is “Theirs” now.').waitFor();
    assert.equal(await mine.input.inputValue(), 'Mine', 'what was typed is lost');
    assert.deepEqual(await userOf(user), { name: 'Theirs', version: 2 });

    await mine.dialog.getByRole('button', { name: choice }).click();
    await mine.page.getByRole('heading', { level: 1, name: remains }).waitFor();
    await mine.dialog.waitFor({ state: 'detached' });
    assert.equal((await userOf(user)).name, remains);
  });
}
