// What the mutations of users do, read back by other requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codes, createUser, globalId, mutate, newEmail, newOrder, newUser, read, send, staff } from './shop.mjs';

const fields = 'id name email createdAt version orderCount followerCount followingCount';

const byId = async (id) =>
  (await read(`query ($id: ID!) { user(id: $id) { ${fields} } }`, { id }, { as: await staff() })).user;

const byEmail = async (email) =>
  (await read('query ($email: String!) { userByEmail(email: $email) { id email } }', { email }, { as: await staff() }))
    .userByEmail;

const updateUser = (as, input) =>
  mutate(
    `mutation ($input: UpdateUserInput!) {
      updateUser(input: $input) { user { ${fields} } userErrors { field code } }
    }`,
    input,
    as,
  );

const deleteUser = (as, input) =>
  mutate(
    `mutation ($input: DeleteUserInput!) {
      deleteUser(input: $input) { deletedUserId user { name version } userErrors { field code } }
    }`,
    input,
    as,
  );

test('createUser stores the user, by id and by address', async () => {
  const email = newEmail();
  const { user } = await createUser({ name: '  Mona Prize ', email: email.toUpperCase() });
  const stored = await byId(user.id);
  assert.ok(Math.abs(Date.now() - Date.parse(stored.createdAt)) < 600_000, stored.createdAt);
  assert.deepEqual(stored, {
    id: user.id,
    name: 'Mona Prize',
    email,
    createdAt: stored.createdAt,
    version: 1,
    orderCount: 0,
    followerCount: 0,
    followingCount: 0,
  });
  assert.deepEqual(await byEmail(email), { id: user.id, email });
  const { node } = await read('query ($id: ID!) { node(id: $id) { __typename id } }', { id: user.id });
  assert.deepEqual(node, { __typename: 'User', id: user.id });
});

test('createUser with an address that is taken, in whatever case, stores nothing', async () => {
  const first = await newUser();
  const again = await createUser({ name: 'Another', email: first.email.toUpperCase() });
  assert.deepEqual(again, { user: null, userErrors: [{ field: 'email', code: 'TAKEN' }] });
  assert.equal((await byEmail(first.email)).id, first.id);
});

test('createUser names each field that is wrong', async () => {
  const { user, userErrors } = await createUser({ name: ' ', email: 'nobody' });
  assert.equal(user, null);
  assert.deepEqual(userErrors, [
    { field: 'name', code: 'INVALID' },
    { field: 'email', code: 'INVALID' },
  ]);
});

test('updateUser changes the name and nothing else', async () => {
  const user = await newUser();
  const before = await byId(user.id);
  const payload = await updateUser(user.as, { version: user.version, name: 'New Name' });
  assert.deepEqual(payload, { user: { ...before, name: 'New Name', version: 2 }, userErrors: [] });
  assert.deepEqual(await byId(user.id), payload.user);
});

test('updateUser of the address moves the index entry and frees the old address', async () => {
  const user = await newUser();
  const email = newEmail();
  assert.deepEqual(codes(await updateUser(user.as, { version: 1, email })), []);
  assert.equal((await byId(user.id)).email, email);
  assert.equal((await byEmail(email)).id, user.id);
  assert.equal(await byEmail(user.email), null);
  const next = await newUser({ email: user.email });
  assert.equal((await byEmail(user.email)).id, next.id);
  assert.deepEqual(codes(await createUser({ name: 'Late', email })), ['TAKEN']);
});

test('updateUser to an address of another user changes nothing', async () => {
  const [user, other] = [await newUser(), await newUser()];
  assert.deepEqual(codes(await updateUser(user.as, { version: 1, name: 'Changed', email: other.email })), ['TAKEN']);
  const { name, email, version } = await byId(user.id);
  assert.deepEqual({ name, email, version }, { name: user.name, email: user.email, version: 1 });
});

test('updateUser of an outdated version is a conflict with the current user', async () => {
  const user = await newUser();
  await updateUser(user.as, { version: 1, name: 'First' });
  const late = await updateUser(user.as, { version: 1, name: 'Second' });
  assert.deepEqual(late.userErrors, [{ field: 'version', code: 'CONFLICT' }]);
  assert.deepEqual([late.user.name, late.user.version], ['First', 2]);
  assert.equal((await byId(user.id)).name, 'First');
  assert.deepEqual(codes(await updateUser(user.as, { version: late.user.version, name: 'Second' })), []);
  assert.equal((await byId(user.id)).name, 'Second');
});

test('of updates of one version at the same time, one is made', async () => {
  const user = await newUser();
  const names = ['A', 'B', 'C', 'D', 'E'];
  const payloads = await Promise.all(names.map((name) => updateUser(user.as, { version: 1, name })));
  const made = names.filter((_, i) => codes(payloads[i]).length === 0);
  assert.equal(made.length, 1, JSON.stringify(payloads));
  const stored = await byId(user.id);
  assert.deepEqual([stored.name, stored.version], [made[0], 2]);
});

test('deleteUser hides the user everywhere and frees the address', async () => {
  const user = await newUser();
  const order = await newOrder(user.as);
  assert.deepEqual(await deleteUser(user.as, { version: 2 }), {
    deletedUserId: null,
    user: { name: user.name, version: 1 },
    userErrors: [{ field: 'version', code: 'CONFLICT' }],
  });
  assert.equal((await byId(user.id)).name, user.name);
  assert.deepEqual(await deleteUser(user.as, { version: 1 }), { deletedUserId: user.id, user: null, userErrors: [] });
  assert.equal(await byId(user.id), null);
  assert.equal(await byEmail(user.email), null);
  const { viewer } = await read('{ viewer { id } }', {}, { as: user.as });
  assert.equal(viewer, null);
  const { data } = await send(
    'query ($id: ID!) { order(id: $id) { customer { id name } } }',
    { id: order.id },
    { as: await staff() },
  );
  assert.ok(!data.order?.customer?.name, JSON.stringify(data)); // the order is removed soon after
  const next = await newUser({ email: user.email });
  assert.notEqual(next.id, user.id);
});

test('mutations of the viewer are for callers who are signed in', async () => {
  for (const [name, type, input] of [
    ['updateUser', 'UpdateUserInput', { version: 1, name: 'X' }],
    ['deleteUser', 'DeleteUserInput', { version: 1 }],
    ['followUser', 'FollowUserInput', { followeeId: globalId('User', 'somebody') }],
    ['placeOrder', 'PlaceOrderInput', { idempotencyKey: 'k', currency: 'EUR', lines: [] }],
  ]) {
    const { data, errors } = await send(
      `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code } } }`,
      { input },
    );
    assert.deepEqual(data, { [name]: null });
    assert.deepEqual(
      errors.map(({ path, extensions }) => [path, extensions.code]),
      [[[name], 'FORBIDDEN']],
    );
  }
});
