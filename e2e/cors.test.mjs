// The headers by which a browser lets the pages of an allowed origin read and write. What browsers make of them is in
// origins.test.mjs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startOwn } from './process.mjs';
import { json, newUser, read } from './shop.mjs';

const shop = 'https://shop.example';
const other = 'https://other.example';

let gateway, url;

before(async () => {
  gateway = await startOwn({ CORS_ORIGINS: `${shop},https://app.shop.example:8443`, CORS_HEADERS: 'X-Tenant' });
  url = `${gateway.url}/graphql`;
});

after(() => gateway?.remove());

/** The question of a browser whether a page may send what a GraphQL client sends. */
const preflight = (origin, headers = 'authorization,content-type') =>
  fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': headers },
  });

/** What a browser sends for a page of the origin after the preflight. */
const post = (origin, query, { as = {} } = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'cross-site', 'content-type': json, ...as },
    body: JSON.stringify({ query }),
  });

const list = (response, name) => (response.headers.get(name) ?? '').toLowerCase().split(/,\s*/);

test('an allowed origin may send what clients send', async () => {
  const headers = [
    'accept',
    'apollographql-client-name',
    'apollographql-client-version',
    'authorization',
    'content-type',
    'traceparent',
    'x-request-id',
  ];
  for (const origin of [shop, 'https://app.shop.example:8443']) {
    const response = await preflight(origin, headers.join(','));
    assert.ok(response.ok, `${response.status}`);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    assert.equal(response.headers.get('access-control-allow-credentials'), null);
    for (const name of headers) assert.ok(list(response, 'access-control-allow-headers').includes(name), name);
    assert.ok(Number(response.headers.get('access-control-max-age')) > 0);
  }
});

test('a header is allowed if a setting has it', async () => {
  const response = await preflight(shop, 'authorization,x-tenant,x-not-on-the-list');
  assert.ok(list(response, 'access-control-allow-headers').includes('x-tenant'));
  assert.equal(list(response, 'access-control-allow-headers').includes('x-not-on-the-list'), false);
});

test('pages of this machine may use the local engine', async () => {
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:8081', 'https://localhost']) {
    assert.equal((await preflight(origin)).headers.get('access-control-allow-origin'), origin);
    const response = await post(origin, '{ __typename }');
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    assert.deepEqual((await response.json()).data, { __typename: 'Query' });
  }
});

test('a page of an allowed origin reads, writes, and reads what it needs of the headers', async () => {
  const user = await newUser({ url });
  const written = await post(
    shop,
    'mutation { updateUser(input: { version: 1, name: "From a page" }) { userErrors { code } } }',
    user,
  );
  assert.equal(written.status, 200);
  assert.deepEqual((await written.json()).data, { updateUser: { userErrors: [] } });
  const answer = await post(shop, '{ viewer { name } }', user);
  assert.deepEqual((await answer.json()).data, { viewer: { name: 'From a page' } });
  for (const response of [written, answer]) {
    assert.equal(response.headers.get('access-control-allow-origin'), shop);
    for (const name of ['retry-after', 'www-authenticate', 'x-request-id']) {
      assert.ok(list(response, 'access-control-expose-headers').includes(name), name);
    }
  }
});

test('a page of an allowed origin can read why it is rejected', async () => {
  const response = await post(shop, '{ __typename }', { as: { authorization: 'Bearer garbage' } });
  assert.equal(response.status, 401);
  assert.equal(response.headers.get('access-control-allow-origin'), shop);
  assert.match(response.headers.get('www-authenticate'), /invalid_token/);
});

for (const [name, origin] of [
  ['another origin', other],
  ['an origin with another scheme', 'http://shop.example'],
  ['an origin with another port', `${shop}:8443`],
  ['a subdomain', 'https://www.shop.example'],
  ['a name that begins in the same way', 'https://shop.example.evil.example'],
  ['a name that begins as this machine does', 'http://localhost.evil.example'],
  ['a sandboxed page', 'null'],
]) {
  test(`${name} is refused, and nothing is executed`, async () => {
    assert.equal((await preflight(origin)).headers.get('access-control-allow-origin'), null);
    const user = await newUser({ url });
    const response = await post(
      origin,
      'mutation { updateUser(input: { version: 1, name: "Changed" }) { user { id } } }',
      user,
    );
    assert.equal(response.status, 403);
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    const body = await response.json();
    assert.equal(body.errors[0].extensions.code, 'FORBIDDEN');
    assert.match(body.errors[0].message, /CORS_ORIGINS/);
    const { viewer } = await read('{ viewer { name } }', {}, { as: user.as, url });
    assert.equal(viewer.name, user.name);
    const byGet = await fetch(`${url}?query={__typename}`, { headers: { origin, 'sec-fetch-site': 'cross-site' } });
    assert.equal(byGet.status, 403);
  });
}
