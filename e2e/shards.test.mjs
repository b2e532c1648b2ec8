// The orders of a state are in four partitions. Their list has all that the users' own collections have, in order.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertPages, connection } from './connection.mjs';
import { settings } from './gateway.mjs';
import { byTime, moveOrder, newOrders, newUser, read, staff } from './shop.mjs';

const node = 'id userId status createdAt';
const usersAtOnce = 25; // their pages are below the limit of objects in an answer

let admin, users, orders;

before(async () => {
  admin = await staff();
  const { defaultQuery } = await settings();
  users = await friendsOf(defaultQuery.match(/user\(id: "([^"]+)"\)/)[1]);
  orders = (await Promise.all([...users.keys()].map(ordersOf))).flat().sort(byTime);
  assert.ok(orders.length > 500, `${orders.length} orders are too few`);
});

/** The demo data's customers, who all follow others: those that a user follows, whom they follow, and so on. */
async function friendsOf(first) {
  const found = new Map();
  for (let next = [first]; next.length > 0;) {
    const ids = next.splice(0, usersAtOnce);
    const { nodes } = await read(
      `query ($ids: [ID!]!) {
        nodes(ids: $ids) { ... on User { id orderCount following(first: 100) { nodes { id } } } }
      }`,
      { ids },
      { as: admin },
    );
    for (const user of nodes) found.set(user.id, user.orderCount);
    for (const { id } of nodes.flatMap(({ following }) => following.nodes)) {
      if (!found.has(id) && !next.includes(id)) next.push(id);
    }
  }
  return found;
}

/** A customer's orders. None of the demo data's has more than a page. */
async function ordersOf(id) {
  const { user } = await read(
    `query ($id: ID!) { user(id: $id) { orders(first: 100) { nodes { ${node} } } } }`,
    { id },
    { as: admin },
  );
  assert.equal(user.orders.nodes.length, users.get(id));
  return user.orders.nodes;
}

/** The list of a state, in a range of time that keeps other tests' orders out of it. */
const inState = (status, createdAt) =>
  connection({
    field: 'ordersByStatus(status: $status, createdAt: $createdAt)',
    declares: '$status: OrderStatus!, $createdAt: TimeRange,',
    variables: { status, createdAt },
    node,
    as: admin,
  });

const demo = () => ({ from: orders[0].createdAt, to: orders.at(-1).createdAt });

for (const status of ['PENDING', 'PAID', 'SHIPPED', 'DELIVERED', 'CANCELLED']) {
  test(`all orders that are ${status}, in order, in both directions`, async () => {
    const expected = orders.filter((order) => order.status === status);
    assert.ok(expected.length > 30, `${expected.length} are too few for four partitions`);
    await assertPages(inState(status, demo()), expected, [100]);
  });
}

test('pages of all sizes over all partitions', async () => {
  const expected = orders.filter(({ status }) => status === 'SHIPPED').slice(10, 35);
  const range = { from: expected[0].createdAt, to: expected.at(-1).createdAt };
  await assertPages(inState('SHIPPED', range), expected, [1, 2, 3, 4, 5, 6, 7]);
});

test('an order that moves on leaves one list for the other', async () => {
  const user = await newUser();
  const mine = (await newOrders(user.as, 8)).sort(byTime);
  const range = { from: mine[0].createdAt, to: mine.at(-1).createdAt };
  const listed = async (status) => {
    const { nodes, pageInfo } = await inState(status, range)({ first: 100 });
    assert.equal(pageInfo.hasNextPage, false);
    return nodes.filter(({ userId }) => userId === user.id).map(({ id }) => id);
  };
  assert.deepEqual(
    await listed('PENDING'),
    mine.map(({ id }) => id),
  );
  const paid = mine.filter((_, i) => i % 2 === 0);
  for (const { id, version } of paid) await moveOrder(id, version, 'PAID');
  assert.deepEqual(
    await listed('PAID'),
    paid.map(({ id }) => id),
  );
  assert.deepEqual(
    await listed('PENDING'),
    mine.filter((_, i) => i % 2 === 1).map(({ id }) => id),
  );
});
