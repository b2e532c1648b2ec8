// Every connection of the shop in pages of all sizes, in both directions: equal, without a gap or a repeat.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertPages, connection } from './connection.mjs';
import { byTime, followUser, line, newOrder, newOrders, newSku, newUser, rawId, send, staff } from './shop.mjs';

const sizes = [1, 2, 3, 4, 5, 6, 7];
const count = 7;

let user, orders, friends, sku, admin, lined;

before(async () => {
  [admin, user, sku] = [await staff(), await newUser(), newSku()];
  orders = await newOrders(user.as, count, { lines: [line(sku)] });
  orders = orders.map(({ id, createdAt }) => ({ id, createdAt })).sort(byTime);
  lined = await newUser();
  const lines = Array.from({ length: count }, () => line(newSku()));
  lined.order = await newOrder(lined.as, { lines });
  friends = [];
  while (friends.length < count) friends.push(await newUser({ name: `Friend ${friends.length}` }));
  friends.sort((a, b) => (rawId(a.id) < rawId(b.id) ? -1 : 1));
  for (const friend of friends) {
    await followUser(user.as, friend.id);
    await followUser(friend.as, user.id);
  }
});

const ofUser = (field, node) =>
  connection({
    field,
    node,
    within: 'user(id: $id) { * }',
    declares: '$id: ID!,',
    variables: { id: user.id },
    as: user.as,
  });

test("a user's orders, newest first", () => assertPages(ofUser('orders', 'id createdAt'), orders.toReversed(), sizes));

test('whom a user follows', () =>
  assertPages(
    ofUser('following', 'id'),
    friends.map(({ id }) => ({ id })),
    sizes,
  ));

test('who follows a user', () =>
  assertPages(
    ofUser('followers', 'name'),
    friends.map(({ name }) => ({ name })),
    sizes,
  ));

test('the lines of an order', () => {
  const load = connection({
    field: 'items',
    node: 'line',
    within: 'order(id: $id) { * }',
    declares: '$id: ID!,',
    variables: { id: lined.order.id },
    as: lined.as,
  });
  return assertPages(
    load,
    Array.from({ length: count }, (_, i) => ({ line: i + 1 })),
    sizes,
  );
});

test('the orders with a product', () => {
  const load = connection({
    field: 'ordersByProduct(sku: $sku)',
    node: 'id createdAt',
    declares: '$sku: String!,',
    variables: { sku },
    as: admin,
  });
  return assertPages(load, orders, sizes);
});

test('a connection without nodes', async () => {
  const { id, as } = await newUser();
  for (const field of ['orders', 'followers', 'following']) {
    const load = connection({ field, within: 'user(id: $id) { * }', declares: '$id: ID!,', variables: { id }, as });
    await assertPages(load, [], [1, 7]);
  }
});

test('a page of none says whether there are any', async () => {
  const load = ofUser('orders', 'id');
  for (const [page, next, previous] of [
    [{ first: 0 }, true, false],
    [{ last: 0 }, false, true],
  ]) {
    const { edges, pageInfo } = await load(page);
    assert.deepEqual(edges, []);
    assert.deepEqual(pageInfo, { hasNextPage: next, hasPreviousPage: previous, startCursor: null, endCursor: null });
  }
});

test('behind the last node, and before the first one, there is nothing', async () => {
  const load = ofUser('orders', 'id');
  const { pageInfo } = await load({ first: count });
  for (const [page, next, previous] of [
    [{ first: 3, after: pageInfo.endCursor }, false, true],
    [{ last: 3, before: pageInfo.startCursor }, true, false],
  ]) {
    const { edges, pageInfo: at } = await load(page);
    assert.deepEqual(edges, []);
    assert.deepEqual([at.hasNextPage, at.hasPreviousPage], [next, previous]);
  }
});

test('totalCount is that of the whole connection on each page', async () => {
  const query = `query ($id: ID!, $after: String) { user(id: $id) {
    orders(first: 3, after: $after) { totalCount pageInfo { endCursor } }
    followers(first: 0) { totalCount }
    following(last: 2) { totalCount }
  } }`;
  let after;
  for (let page = 0; page < 2; page++) {
    const { data } = await send(query, { id: user.id, after }, { as: user.as });
    const { orders: listed, followers, following } = data.user;
    assert.deepEqual([listed.totalCount, followers.totalCount, following.totalCount], [count, count, count]);
    after = listed.pageInfo.endCursor;
  }
});

describe('a page that cannot be', () => {
  const query = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    user(id: $id) { name orders(first: $first, after: $after, last: $last, before: $before) { nodes { id } } }
  }`;
  for (const [name, page] of [
    ['has no size', {}],
    ['has a negative size', { first: -1 }],
    ['is larger than 100', { last: 101 }],
    ['has both directions', { first: 1, last: 1 }],
    ['has an end for its beginning', { first: 1, before: 'x' }],
    ['begins after an invented cursor', { first: 1, after: 'b3JkZXI6MQ' }],
  ]) {
    test(name, async () => {
      const { data, errors } = await send(query, { id: user.id, ...page }, { as: user.as });
      assert.deepEqual(data, { user: { name: user.name, orders: null } });
      assert.deepEqual(
        errors.map(({ path, extensions }) => [path, extensions.code]),
        [[['user', 'orders'], 'BAD_USER_INPUT']],
      );
    });
  }

  test('begins after a cursor of another connection', async () => {
    const other = await newUser();
    await newOrders(other.as, 2);
    const load = connection({
      field: 'orders',
      within: 'user(id: $id) { * }',
      declares: '$id: ID!,',
      variables: { id: other.id },
      as: other.as,
    });
    const { pageInfo } = await load({ first: 1 });
    const { data, errors } = await send(query, { id: user.id, first: 1, after: pageInfo.endCursor }, { as: user.as });
    assert.equal(data.user.orders, null);
    assert.equal(errors[0].extensions.code, 'BAD_USER_INPUT');
  });
});
