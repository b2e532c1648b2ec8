// Follows users, and pages through those who do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ada, hold, storefront } from './fixture.mjs';

const shop = storefront();

const followers = (page) => page.locator('[data-counter=followers]');
const people = (page, label) => page.getByRole('list', { name: label }).getByRole('link');

async function countersOf({ id }) {
  return (await shop.ask('query($id: ID!) { user(id: $id) { followerCount followingCount } }', { id })).user;
}

const followsOf = async ({ id }, userId) =>
  (
    await shop.ask('query($id: ID!, $userId: ID!) { user(id: $id) { follows(userId: $userId) { id } } }', {
      id,
      userId,
    })
  ).user.follows;

/** Two new users, and the page on which the first one sees the second. */
async function meeting(options) {
  const [user, other] = await Promise.all([shop.createUser(), shop.createUser('Olga Other')]);
  const page = await shop.visit(`/users/${other.id}`, user, options);
  const follow = page.getByRole('button', { name: 'Follow Olga Other', exact: true });
  const unfollow = page.getByRole('button', { name: 'Unfollow Olga Other' });
  await follow.waitFor();
  return { user, other, page, follow, unfollow };
}

test('following counts at once, and in the table on both sides', async () => {
  const { user, other, page, follow, unfollow } = await meeting();
  const response = await hold(page, 'Follow');
  await follow.click();
  await unfollow.waitFor();
  assert.equal(await followers(page).textContent(), '1');
  assert.deepEqual(await countersOf(other), { followerCount: 0, followingCount: 0 }, 'the response was not held back');

  const answered = page.waitForResponse((r) => r.request().postDataJSON()?.operationName === 'Follow');
  response.release();
  await answered;
  assert.ok(await unfollow.isVisible());
  assert.equal(await followers(page).textContent(), '1');
  assert.deepEqual(await countersOf(other), { followerCount: 1, followingCount: 0 });
  assert.deepEqual(await countersOf(user), { followerCount: 0, followingCount: 1 });
  assert.ok(await followsOf(user, other.id));

  await page.getByRole('link', { name: 'Followers' }).click();
  await people(page, 'Followers').filter({ hasText: user.name }).waitFor();
  await people(page, 'Followers').click();
  await page.getByRole('heading', { level: 1, name: user.name }).waitFor();
  await page.getByRole('link', { name: 'Following 1' }).click();
  await people(page, 'Following').filter({ hasText: other.name }).waitFor();
});

test('unfollowing counts at once, and in the table on both sides', async () => {
  const { user, other, page, follow, unfollow } = await meeting();
  await shop.ask(
    'mutation($id: ID!) { followUser(input: { followeeId: $id }) { userErrors { code } } }',
    { id: other.id },
    user,
  );
  await page.reload();
  await unfollow.waitFor();
  const response = await hold(page, 'Unfollow');
  await unfollow.click();
  await follow.waitFor();
  assert.equal(await followers(page).textContent(), '0');
  assert.deepEqual(await countersOf(other), { followerCount: 1, followingCount: 0 }, 'the response was not held back');

  const answered = page.waitForResponse((r) => r.request().postDataJSON()?.operationName === 'Unfollow');
  response.release();
  await answered;
  assert.equal(await followers(page).textContent(), '0');
  assert.deepEqual(await countersOf(other), { followerCount: 0, followingCount: 0 });
  assert.equal(await followsOf(user, other.id), null);
});

test('a follow that fails is taken back, with its counter', async () => {
  const { user, other, page, follow, unfollow } = await meeting({ expected: /ERR_CONNECTION_RESET/ });
  const response = await hold(page, 'Follow');
  await follow.click();
  await unfollow.waitFor();
  assert.equal(await followers(page).textContent(), '1');
  response.abort();
  await follow.waitFor();
  assert.equal(await followers(page).textContent(), '0');
  await page.getByText('That did not work. The shop did not answer.').waitFor();
  assert.equal(await followsOf(user, other.id), null);
});

test('an unfollow that the shop rejects is taken back, with its counter', async () => {
  const { user, other, page, follow, unfollow } = await meeting();
  await follow.click();
  await unfollow.waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-disabled=true]'));
  // Meanwhile another browser has done it.
  await shop.ask(
    'mutation($id: ID!) { unfollowUser(input: { followeeId: $id }) { userErrors { code } } }',
    { id: other.id },
    user,
  );
  const response = await hold(page, 'Unfollow');
  await unfollow.click();
  await follow.waitFor();
  response.release();
  await unfollow.waitFor();
  await page.waitForFunction(() => document.querySelector('[data-counter=followers]').textContent === '0'); // as it is
  await page
    .getByRole('status')
    .filter({ hasText: /follow/ })
    .waitFor();
});

for (const [label, field] of [
  ['Followers', 'followers'],
  ['Following', 'following'],
]) {
  test(`pages of ${field} are the same forwards and backwards`, async () => {
    const connection = (args) => `c: ${field}(${args}) { edges { node { id } } }`;
    const read = async (args) =>
      (await shop.ask(`{ user(id: "${ada.id}") { ${connection(args)} } }`)).user.c.edges.map(({ node }) => node.id);
    const page = await shop.visit(`/users/${ada.id}/${field}`);
    const shown = () =>
      people(page, label).evaluateAll((all) => all.map((link) => decodeURIComponent(link.pathname.split('/').at(-1))));
    const turn = async (direction) => {
      const before = (await shown())[0];
      await page
        .getByRole('navigation', { name: `Pages of ${label}` })
        .getByRole('link', { name: direction })
        .click();
      await page.waitForFunction((id) => {
        const first = document.querySelector('.people a');
        return first && !decodeURIComponent(first.pathname).endsWith(id);
      }, before);
      return shown();
    };

    await people(page, label).first().waitFor();
    const all = await read('first: 36');
    const pages = [await shown(), await turn('Next')];
    assert.deepEqual(pages.flat(), all.slice(0, 24));
    assert.deepEqual(await turn('Previous'), pages[0]);

    const last = await turn('Last');
    assert.deepEqual(last, await read('last: 12'));
    const before = await turn('Previous');
    assert.deepEqual([...before, ...last], await read('last: 24'));
    assert.deepEqual(await turn('Next'), last);
    assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0);
    assert.deepEqual(await turn('First'), pages[0]);
    assert.equal(await page.getByRole('link', { name: 'Previous' }).count(), 0);
  });
}
