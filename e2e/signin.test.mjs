// Who is trusted, and what callers may read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphQL, json, newUser, send, signIn } from './shop.mjs';

const viewer = '{ viewer { id } }';
const anHourAgo = Math.floor(Date.now() / 1000) - 3600;

test('a valid token is its user, and none is nobody', async () => {
  const user = await newUser();
  assert.deepEqual((await send(viewer, {}, { as: user.as })).body.data, { viewer: { id: user.id } });
  assert.deepEqual((await send(viewer)).body.data, { viewer: null });
});

for (const [name, token] of [
  ['is expired', (user) => signIn(user, { claims: { iat: anHourAgo - 60, exp: anHourAgo } })],
  ['has another signature', (user) => signIn(user, { secret: 'another secret, which has 32 bytes or more' })],
  ['is not valid yet', (user) => signIn(user, { claims: { nbf: anHourAgo + 2 * 3600 } })],
  ['never expires', (user) => signIn(user, { claims: { exp: undefined } })],
  ['is garbage', () => ({ authorization: 'Bearer garbage' })],
  ['is changed', async (user) => tampered(await signIn(user), { roles: ['ADMIN'] })],
  ['says that it needs no signature', async (user) => tampered(await signIn(user), {}, { alg: 'none' })],
]) {
  test(`a token that ${name} is not trusted`, async () => {
    const user = await newUser();
    const as = await token(user.id);
    for (const accept of [graphQL, json]) {
      // Even what nobody has to sign in for: the client learns at once that its token is of no use.
      for (const query of [viewer, '{ __typename }']) {
        const { status, headers, body } = await send(query, {}, { as, accept });
        assert.equal(status, 401);
        assert.equal(headers.get('content-type').split(';')[0], graphQL); // so that it is not from a proxy
        assert.match(
          headers.get('www-authenticate'),
          /^Bearer realm="graphql", error="invalid_token", error_description="[^"]+"$/,
        );
        assert.equal('data' in body, false);
        assert.deepEqual(
          body.errors.map(({ extensions }) => extensions.code),
          ['UNAUTHENTICATED'],
        );
        assert.equal(JSON.stringify(body).includes(as.authorization.slice('Bearer '.length)), false);
      }
    }
  });
}

/** A token whose payload or header has been changed after it was signed. */
function tampered({ authorization }, claims, header = { alg: 'HS256', typ: 'JWT' }) {
  const [, payload, signature] = authorization.replace('Bearer ', '').split('.');
  const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const changed = { ...JSON.parse(Buffer.from(payload, 'base64url')), ...claims };
  return { authorization: `Bearer ${encoded(header)}.${encoded(changed)}.${header.alg === 'none' ? '' : signature}` };
}

test('a mutation with a token that is not trusted changes nothing', async () => {
  const user = await newUser();
  const as = await signIn(user.id, { secret: 'another secret, which has 32 bytes or more' });
  const { status } = await send(
    'mutation { updateUser(input: { version: 1, name: "Changed" }) { user { id } } }',
    {},
    { as },
  );
  assert.equal(status, 401);
  const { data } = await send('query ($id: ID!) { user(id: $id) { name version } }', { id: user.id });
  assert.deepEqual(data.user, { name: user.name, version: 1 });
});

test('a header that is no bearer token is a bad request', async () => {
  const { status, headers, errors } = await send(viewer, {}, { as: { authorization: 'Basic YTpi' } });
  assert.equal(status, 400);
  assert.match(headers.get('www-authenticate'), /^Bearer .*error="invalid_request"/);
  assert.equal(errors[0].extensions.code, 'BAD_REQUEST');
});

test("another user's e-mail address and orders are forbidden, and the rest is answered", async () => {
  const [user, other] = [await newUser(), await newUser()];
  const query = 'query ($id: ID!) { user(id: $id) { id email orders(first: 1) { nodes { id } } } }';
  for (const as of [{}, other.as]) {
    const { data, errors } = await send(query, { id: user.id }, { as });
    assert.deepEqual(data, { user: { id: user.id, email: null, orders: null } });
    assert.deepEqual(errors.map(({ path, extensions }) => [path.join('.'), extensions.code]).sort(), [
      ['user.email', 'FORBIDDEN'],
      ['user.orders', 'FORBIDDEN'],
    ]);
  }
  for (const as of [user.as, await signIn(other.id, { roles: ['ADMIN'] })]) {
    const { data, errors } = await send(query, { id: user.id }, { as });
    assert.equal(errors, undefined);
    assert.deepEqual(data.user, { id: user.id, email: user.email, orders: { nodes: [] } });
  }
});

test('the lists of the staff are for the staff', async () => {
  const user = await newUser();
  const { data, errors } = await send(
    `query ($email: String!) {
      userByEmail(email: $email) { id }
      ordersByStatus(status: PENDING, first: 1) { nodes { id } }
      ordersByProduct(sku: "TEA-001", first: 1) { nodes { id } }
    }`,
    { email: user.email },
    { as: user.as },
  );
  assert.deepEqual(data, { userByEmail: null, ordersByStatus: null, ordersByProduct: null });
  assert.deepEqual(
    errors.map(({ extensions }) => extensions.code),
    ['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'],
  );
});
