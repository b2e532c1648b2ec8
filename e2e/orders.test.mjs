// What the mutations of orders do wherever an order is stored: by id, in its user's collection, in both indexes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import {
  codes,
  globalId,
  line,
  moveOrder,
  mutate,
  newOrder,
  newSku,
  newUser,
  placeOrder,
  read,
  send,
  staff,
} from './shop.mjs';

let admin;

before(async () => (admin = await staff()));

const fields = 'id userId status createdAt total { amount currency } itemCount version';

const cancelOrder = (as, orderId, version) =>
  mutate(
    `mutation ($input: CancelOrderInput!) {
      cancelOrder(input: $input) { order { id status version } userErrors { field code } }
    }`,
    { orderId, version },
    as,
  );

const byId = async (id) =>
  (await read(`query ($id: ID!) { order(id: $id) { ${fields} } }`, { id }, { as: admin })).order;

/** The user's own collection, and the counter of it. */
async function ofUser(user) {
  const data = await read(
    `query ($id: ID!) { user(id: $id) { orderCount orders(first: 100) { totalCount nodes { ${fields} } } } }`,
    { id: user.id },
    { as: user.as },
  );
  const { orderCount, orders } = data.user;
  assert.equal(orders.totalCount, orderCount);
  assert.equal(orders.nodes.length, orderCount);
  return orders.nodes;
}

/** The order in the index of a state, at its time; undefined if it is not there. */
async function inState(status, { id, createdAt }) {
  const data = await ask100('ordersByStatus', 'OrderStatus!', 'status', status, { from: createdAt, to: createdAt });
  return data.find((order) => order.id === id);
}

const ofProduct = (sku) => ask100('ordersByProduct', 'String!', 'sku', sku);

async function ask100(field, type, name, value, createdAt) {
  const data = await read(
    `query ($value: ${type}, $createdAt: TimeRange) {
      list: ${field}(${name}: $value, createdAt: $createdAt, first: 100) {
        nodes { ${fields} } pageInfo { hasNextPage }
      }
    }`,
    { value, createdAt },
    { as: admin },
  );
  assert.equal(data.list.pageInfo.hasNextPage, false);
  return data.list.nodes;
}

/** Asserts that an order is the same everywhere, and in the index of no other state. */
async function assertStored(order, user) {
  assert.deepEqual(await byId(order.id), order);
  assert.deepEqual(
    (await ofUser(user)).find(({ id }) => id === order.id),
    order,
  );
  for (const status of ['PENDING', 'PAID', 'SHIPPED', 'DELIVERED', 'CANCELLED']) {
    assert.deepEqual(
      await inState(status, order),
      status === order.status ? order : undefined,
      `in the index of ${status}`,
    );
  }
}

test('placeOrder stores the order, its lines, its index entries, and counts it', async () => {
  const user = await newUser();
  const [tea, pot] = [newSku(), newSku()];
  const order = await newOrder(user.as, { lines: [line(tea, 2), { ...line(pot), name: 'Pot', price: 1999 }] });
  assert.deepEqual(order, {
    id: order.id,
    userId: user.id,
    status: 'PENDING',
    createdAt: order.createdAt,
    total: { amount: 2499, currency: 'EUR' },
    itemCount: 2,
    version: 1,
  });
  assert.ok(Math.abs(Date.now() - Date.parse(order.createdAt)) < 600_000, order.createdAt);
  await assertStored(order, user);
  assert.equal((await ofUser(user)).length, 1);
  assert.deepEqual(await ofProduct(tea), [order]);
  assert.deepEqual(await ofProduct(pot), [order]);
  const { node } = await read(
    `query ($id: ID!) { node(id: $id) { ... on Order {
      customer { id name }
      items(first: 100) { nodes { line sku name quantity price { amount currency } } }
    } } }`,
    { id: order.id },
    { as: user.as },
  );
  assert.deepEqual(node, {
    customer: { id: user.id, name: user.name },
    items: {
      nodes: [
        { line: 1, sku: tea, name: 'Tea', quantity: 2, price: { amount: 250, currency: 'EUR' } },
        { line: 2, sku: pot, name: 'Pot', quantity: 1, price: { amount: 1999, currency: 'EUR' } },
      ],
    },
  });
});

test('the same idempotency key is one order, one after the other and at the same time', async () => {
  const user = await newUser();
  const sku = newSku();
  const input = { idempotencyKey: randomUUID(), lines: [line(sku)] };
  const first = await newOrder(user.as, input);
  assert.equal((await newOrder(user.as, input)).id, first.id);
  const others = await Promise.all([1, 2, 3, 4].map(() => newOrder(user.as, { ...input, idempotencyKey: 'at-once' })));
  const ids = new Set(others.map(({ id }) => id));
  assert.equal(ids.size, 1, [...ids].join());
  assert.deepEqual(
    (await ofUser(user)).map(({ id }) => id),
    [...ids, first.id],
  );
  assert.equal((await ofProduct(sku)).length, 2);
});

test('an idempotency key belongs to one input and to one user', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const input = { idempotencyKey: randomUUID(), lines: [line(newSku())] };
  const first = await newOrder(user.as, input);
  const reused = await placeOrder(user.as, { ...input, lines: [line(newSku(), 2)] });
  assert.equal(reused.order, null);
  assert.deepEqual(codes(reused), ['KEY_REUSED']);
  assert.equal((await ofUser(user)).length, 1);
  assert.notEqual((await newOrder(other.as, input)).id, first.id);
});

test('placeOrder with mistakes stores nothing', async () => {
  const user = await newUser();
  const sku = newSku();
  const { order, userErrors } = await placeOrder(user.as, {
    currency: 'XXX',
    lines: [line(sku), { ...line(newSku()), quantity: 0 }],
  });
  assert.equal(order, null);
  assert.deepEqual(
    userErrors.map(({ field, code }) => [field, code]),
    [
      ['currency', 'INVALID'],
      ['lines.1.quantity', 'INVALID'],
    ],
  );
  assert.deepEqual(await ofUser(user), []);
  assert.deepEqual(await ofProduct(sku), []);
});

test('cancelOrder changes the order wherever it is stored', async () => {
  const user = await newUser();
  const order = await newOrder(user.as);
  const payload = await cancelOrder(user.as, order.id, order.version);
  assert.deepEqual(payload, { order: { id: order.id, status: 'CANCELLED', version: 2 }, userErrors: [] });
  await assertStored({ ...order, status: 'CANCELLED', version: 2 }, user);
});

test('cancelOrder of an outdated version is a conflict with the current order', async () => {
  const user = await newUser();
  const order = await newOrder(user.as);
  assert.deepEqual(codes(await moveOrder(order.id, 1, 'PAID')), []);
  const late = await cancelOrder(user.as, order.id, 1);
  assert.deepEqual(late, {
    order: { id: order.id, status: 'PAID', version: 2 },
    userErrors: [{ field: 'version', code: 'CONFLICT' }],
  });
  await assertStored({ ...order, status: 'PAID', version: 2 }, user);
  assert.deepEqual(codes(await cancelOrder(user.as, order.id, 2)), []);
  await assertStored({ ...order, status: 'CANCELLED', version: 3 }, user);
});

test('updateOrderStatus moves an order through its states, and not beyond', async () => {
  const user = await newUser();
  const order = await newOrder(user.as);
  let version = 1;
  for (const status of ['PAID', 'SHIPPED', 'DELIVERED']) {
    assert.deepEqual(await moveOrder(order.id, version, status), {
      order: { id: order.id, status, version: version + 1 },
      userErrors: [],
    });
    version++;
    await assertStored({ ...order, status, version }, user);
  }
  for (const payload of [
    await moveOrder(order.id, version, 'PENDING'),
    await cancelOrder(user.as, order.id, version),
  ]) {
    assert.deepEqual(codes(payload), ['ILLEGAL_TRANSITION']);
    assert.deepEqual(payload.order, { id: order.id, status: 'DELIVERED', version });
  }
  await assertStored({ ...order, status: 'DELIVERED', version }, user);
});

test('orders belong to their customer and to the staff', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const order = await newOrder(user.as);
  const foreign = await cancelOrder(other.as, order.id, 1);
  assert.deepEqual([foreign.order, codes(foreign)], [null, ['NOT_FOUND']]);
  const missing = await cancelOrder(user.as, globalId('Order', randomUUID()), 1);
  assert.deepEqual([missing.order, codes(missing)], [null, ['NOT_FOUND']]);
  const move = 'mutation ($input: UpdateOrderStatusInput!) { updateOrderStatus(input: $input) { order { id } } }';
  const { data, errors } = await send(
    move,
    { input: { orderId: order.id, version: 1, status: 'PAID' } },
    { as: user.as },
  );
  assert.deepEqual(data, { updateOrderStatus: null });
  assert.deepEqual(
    errors.map(({ extensions }) => extensions.code),
    ['FORBIDDEN'],
  );
  await assertStored(order, user);
});
