// What subscribers of the shop receive: by plain HTTP, and compared with what queries read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle, subscribe } from './events.mjs';
import { startOwn } from './process.mjs';
import { followUser, moveOrder, mutate, newOrder, newUser, read, send, staff, unfollowUser } from './shop.mjs';

const orderById = 'subscription ($id: ID!) { order(id: $id) { id status version } }';
const ordersOf = `subscription ($id: ID!) {
  orders(userId: $id, first: 10) { change nodeId cursor connection { nodes { id status } } node { id status } }
}`;
const followersOf = `subscription ($id: ID!) {
  followers(userId: $id, first: 10) { change nodeId connection { nodes { name } } edge { followedAt node { name } } }
}`;
const pending = `subscription {
  ordersByStatus(status: PENDING, last: 1) { change nodeId node { id status } }
}`;

const codesOf = ({ errors }) => errors?.map(({ extensions }) => extensions.code);

/** The states of an order after the first one, each with the version before it. */
const moves = [
  [1, 'PAID'],
  [2, 'SHIPPED'],
  [3, 'DELIVERED'],
];

test('an order: its state, and then each new one, in order and once', async (t) => {
  const ann = await newUser();
  const { id } = await newOrder(ann.as);
  const { next } = await subscribe(t, orderById, { id }, ann);
  assert.deepEqual((await next()).data.order, { id, status: 'PENDING', version: 1 });
  for (const [version, status] of moves) await moveOrder(id, version, status);
  for (const [version, status] of moves) {
    assert.deepEqual((await next()).data.order, { id, status, version: version + 1 });
  }
});

test("a user's orders: the page, and then what is placed and moved, with cursors that queries take", async (t) => {
  const ann = await newUser();
  const first = await newOrder(ann.as);
  const { next } = await subscribe(t, ordersOf, { id: ann.id }, ann);
  const { change, connection } = (await next()).data.orders;
  assert.deepEqual([change, connection.nodes], ['CURRENT', [{ id: first.id, status: 'PENDING' }]]);
  const second = await newOrder(ann.as);
  const added = (await next()).data.orders;
  assert.deepEqual([added.change, added.nodeId, added.node.status], ['ADDED', second.id, 'PENDING']);
  await moveOrder(first.id, 1, 'PAID');
  const changed = (await next()).data.orders;
  assert.deepEqual([changed.change, changed.nodeId, changed.node.status], ['CHANGED', first.id, 'PAID']);
  const query = 'query ($id: ID!, $after: String!) { user(id: $id) { orders(first: 10, after: $after) { nodes { id } } } }';
  const { user } = await read(query, { id: ann.id, after: added.cursor }, ann);
  assert.deepEqual(user.orders.nodes, [{ id: first.id }]);
});

test('the followers of a user: who follows, and who no longer does', async (t) => {
  const [ann, bob] = [await newUser({ name: 'Ann' }), await newUser({ name: 'Bob' })];
  const { next } = await subscribe(t, followersOf, { id: ann.id });
  assert.deepEqual((await next()).data.followers.connection, { nodes: [] });
  const { follow } = await followUser(bob.as, ann.id);
  const { change, nodeId, edge } = (await next()).data.followers;
  assert.deepEqual([change, nodeId, edge], ['ADDED', bob.id, { followedAt: follow.followedAt, node: { name: 'Bob' } }]);
  await unfollowUser(bob.as, ann.id);
  const gone = (await next()).data.followers;
  assert.deepEqual([gone.change, gone.nodeId, gone.edge], ['REMOVED', bob.id, null]);
});

test('the pending orders of all shards: those that come, and those that are paid', async (t) => {
  const ann = await newUser();
  const { next } = await subscribe(t, pending, {}, { as: await staff() });
  assert.equal((await next()).data.ordersByStatus.change, 'CURRENT');
  const orders = [await newOrder(ann.as), await newOrder(ann.as), await newOrder(ann.as)];
  for (const { id } of orders) await moveOrder(id, 1, 'PAID');
  const seen = [];
  while (seen.length < 2 * orders.length) { // other tests place orders, too
    const { change, nodeId } = (await next()).data.ordersByStatus;
    if (orders.some(({ id }) => id === nodeId)) seen.push([change, nodeId]);
  }
  const of = (change) => orders.map(({ id }) => [change, id]);
  assert.deepEqual(seen, [...of('ADDED'), ...of('REMOVED')]);
});

test('nobody receives what a query would not show them', async (t) => {
  const [ann, bob] = [await newUser(), await newUser()];
  const order = await newOrder(ann.as);
  const first = await (await subscribe(t, orderById, { id: order.id }, bob)).next();
  assert.deepEqual([first.data?.order ?? null, codesOf(first)], [null, ['FORBIDDEN']]);
  assert.deepEqual(codesOf(await (await subscribe(t, ordersOf, { id: ann.id }, bob)).next()), ['FORBIDDEN']);
  assert.deepEqual(codesOf(await (await subscribe(t, pending, {}, bob)).next()), ['FORBIDDEN']);
});

test('who resumes with the position of another object is denied, and receives nothing', async (t) => {
  const [ann, bob] = [await newUser(), await newUser()];
  const [order, own] = [await newOrder(ann.as), await newOrder(bob.as)];
  const visible = await subscribe(t, orderById, { id: own.id }, bob);
  await visible.next();
  await moveOrder(own.id, 1, 'PAID');
  const { id: after } = await visible.next();
  const invisible = await subscribe(t, orderById, { id: order.id }, { ...bob, after });
  await moveOrder(order.id, 1, 'PAID');
  assert.deepEqual(codesOf(await invisible.next()), ['FORBIDDEN']);
});

test('who resumes receives what was missed, and nothing again', async (t) => {
  const ann = await newUser();
  const { id } = await newOrder(ann.as);
  const before = await subscribe(t, orderById, { id }, ann);
  await before.next();
  await moveOrder(id, 1, 'PAID');
  const { data, id: after } = await before.next();
  assert.equal(data.order.version, 2);
  before.close();
  await moveOrder(id, 2, 'SHIPPED');
  await moveOrder(id, 3, 'DELIVERED');
  const again = await subscribe(t, orderById, { id }, { ...ann, after });
  for (const version of [3, 4]) assert.equal((await again.next()).data.order.version, version);
});

test('who resumes after the first state of a connection has settled receives exactly what was missed', async (t) => {
  const [ann, bob, eve] = [await newUser(), await newUser(), await newUser()];
  const before = await subscribe(t, followersOf, { id: ann.id });
  assert.equal((await before.next()).data.followers.change, 'CURRENT');
  await settle();
  await followUser(bob.as, ann.id);
  const { data, id: after } = await before.next();
  assert.deepEqual([data.followers.change, data.followers.nodeId], ['ADDED', bob.id]);
  before.close();
  await followUser(eve.as, ann.id);
  await unfollowUser(bob.as, ann.id);
  const again = await subscribe(t, followersOf, { id: ann.id }, { after });
  const next = async () => {
    const { change, nodeId } = (await again.next()).data.followers;
    return [change, nodeId];
  };
  assert.deepEqual(await next(), ['ADDED', eve.id]);
  assert.deepEqual(await next(), ['REMOVED', bob.id]);
  await unfollowUser(eve.as, ann.id);
  assert.deepEqual(await next(), ['REMOVED', eve.id]);
});

test('a position of nobody is an error that says what to do', async (t) => {
  const ann = await newUser();
  const { id } = await newOrder(ann.as);
  const { next } = await subscribe(t, orderById, { id }, { ...ann, after: 'AAAA' });
  const answer = await next();
  assert.deepEqual(codesOf(answer), ['POSITION_EXPIRED']);
  assert.match(answer.errors[0].message, /or none/);
});

test('a plain request for a subscription names the transports', async () => {
  const { body } = await send(orderById, { id: 'x' });
  assert.match(body.errors[0].message, /text\/event-stream/);
});

test('a cache has nothing that was changed', async (t) => {
  const own = await startOwn({ CACHE_BYTES: '10000000' });
  t.after(() => own.remove());
  const url = `${own.url}/graphql`;
  const { id, version, as } = await newUser({ name: 'Old', url });
  const name = async () => (await send('query ($id: ID!) { user(id: $id) { name } }', { id }, { url })).body;
  let body;
  do body = await name();
  while (body.extensions.cost.reusedReads === 0); // what has just been written is not kept at once
  assert.equal(body.data.user.name, 'Old');
  await mutate(
    'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { userErrors { code } } }',
    { version, name: 'New' },
    as,
    { url },
  );
  assert.equal((await name()).data.user.name, 'New');
});
