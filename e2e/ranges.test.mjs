// Connections limited to a range of time, whose ends belong to it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertPages, connection } from './connection.mjs';
import { byTime, line, newOrders, newSku, newUser, send, staff } from './shop.mjs';

const declares = '$createdAt: TimeRange,';
const node = 'id createdAt';

let user, orders, lists;

before(async () => {
  user = await newUser();
  const [sku, admin] = [newSku(), await staff()];
  const placed = await newOrders(user.as, 6, { lines: [line(sku)] });
  orders = placed.map(({ id, createdAt }) => ({ id, createdAt })).sort(byTime);
  lists = [
    {
      field: 'orders(createdAt: $createdAt)',
      within: `user(id: "${user.id}") { * }`,
      as: user.as,
      ordered: (found) => found.toReversed(),
    },
    { field: `ordersByProduct(sku: "${sku}", createdAt: $createdAt)`, as: admin, ordered: (found) => found },
  ];
});

/** Asserts that the lists have exactly the orders whose time matches, in both directions, and gives their number. */
async function assertRange(createdAt, matches) {
  const found = orders.filter((order) => matches(Date.parse(order.createdAt)));
  for (const { ordered, ...list } of lists) {
    await assertPages(connection({ ...list, node, declares, variables: { createdAt } }), ordered(found), [1, 2, 100]);
  }
  return found.length;
}

const at = (i) => orders[i].createdAt;

/** A time some milliseconds after another one. */
const shifted = (time, milliseconds) => new Date(Date.parse(time) + milliseconds).toISOString();

test('both ends belong to the range', async () => {
  const [from, to] = [at(1), at(4)];
  const found = await assertRange({ from, to }, (time) => Date.parse(from) <= time && time <= Date.parse(to));
  assert.ok(found >= 4);
});

test('a range of one moment has the orders of that moment', async () => {
  assert.ok((await assertRange({ from: at(2), to: at(2) }, (time) => time === Date.parse(at(2)))) >= 1);
});

test('one end is enough', async () => {
  await assertRange({ from: at(3) }, (time) => time >= Date.parse(at(3)));
  await assertRange({ to: at(3) }, (time) => time <= Date.parse(at(3)));
});

test('a millisecond beyond an order excludes it', async () => {
  await assertRange({ from: shifted(at(0), 1) }, (time) => time > Date.parse(at(0)));
  await assertRange({ to: shifted(at(5), -1) }, (time) => time < Date.parse(at(5)));
});

test('a range in another zone is the same range', async () => {
  const zoned = shifted(at(3), 2 * 3_600_000).replace('Z', '+02:00');
  await assertRange({ from: zoned }, (time) => time >= Date.parse(at(3)));
});

test('a range before or after all orders is empty', async () => {
  assert.equal(await assertRange({ to: shifted(at(0), -1) }, () => false), 0);
  assert.equal(await assertRange({ from: shifted(at(5), 1) }, () => false), 0);
});

test('a range without ends has all orders', async () => {
  assert.equal(await assertRange({}, () => true), orders.length);
  assert.equal(await assertRange(null, () => true), orders.length);
});

test('an inverted range is a mistake', async () => {
  const { data, errors } = await send(
    `query ($id: ID!, $createdAt: TimeRange) {
      user(id: $id) { orders(createdAt: $createdAt, first: 1) { nodes { id } } }
    }`,
    { id: user.id, createdAt: { from: shifted(at(0), 1), to: at(0) } },
    { as: user.as },
  );
  assert.deepEqual(data, { user: { orders: null } });
  assert.deepEqual(
    errors.map(({ path, extensions }) => [path, extensions.code]),
    [[['user', 'orders'], 'BAD_USER_INPUT']],
  );
});
