// Sends hashes of operations with Apollo Client, and their texts only if the gateway asks for them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { endpoint } from '../gateway.mjs';
import { demoUser, newViewer, storedName } from './fixture.mjs';

let user;

before(async () => {
  user = (await demoUser()).id;
});

/** A client that sends hashes, and what it has sent: each request's method and body or parameters, with the answer. */
function persistingClient(headers = {}) {
  const exchanges = [];
  const link = new PersistedQueryLink({
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    useGETForHashedQueries: true,
  });
  const http = new HttpLink({
    uri: endpoint,
    headers,
    fetch: async (url, options) => {
      const answer = await fetch(url, options);
      const text = options.body ?? decodeURIComponent(new URL(url).search);
      exchanges.push({ method: options.method, sentQuery: /[?&]query=|"query":/.test(text), answer });
      return answer;
    },
  });
  return { exchanges, client: new ApolloClient({ link: link.concat(http), cache: new InMemoryCache() }) };
}

/** The name of an operation whose text no other test has sent before. */
const uniqueName = () => `Persisted_${crypto.randomUUID().replaceAll('-', '')}`;

test('a persisted query is sent as text once, and by GET with its hash ever after', async () => {
  const query = gql(`query ${uniqueName()}($user: ID!) { user(id: $user) { id name } }`);
  const first = persistingClient();
  const { data } = await first.client.query({ query, variables: { user } });
  assert.ok(data.user.name);
  assert.deepEqual(
    first.exchanges.map(({ method, sentQuery, answer }) => [method, sentQuery, answer.status]),
    [
      ['GET', false, 200],
      ['POST', true, 200],
    ],
  );
  assert.equal(first.exchanges[0].answer.headers.get('cache-control'), 'no-store');

  const second = persistingClient();
  const again = await second.client.query({ query, variables: { user } });
  assert.deepEqual(again.data, data);
  assert.deepEqual(
    second.exchanges.map(({ method, sentQuery, answer }) => [method, sentQuery, answer.status]),
    [['GET', false, 200]],
  );
  const [{ answer }] = second.exchanges;
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=30');
  assert.match(answer.headers.get('vary'), /Authorization/);
});

test('a persisted mutation goes by POST, as its hash once it is known', async () => {
  const mutation = gql(`mutation ${uniqueName()}($input: UpdateUserInput!) {
    updateUser(input: $input) { user { id version } userErrors { code } }
  }`);
  let { id, version, token } = await newViewer();
  const { client, exchanges } = persistingClient({ authorization: `Bearer ${token}` });
  for (const name of ['Annie', 'Annie Easley']) {
    const { data } = await client.mutate({ mutation, variables: { input: { name, version } } });
    ({ version } = data.updateUser.user);
    assert.equal(await storedName(id), name);
  }
  assert.deepEqual(
    exchanges.map(({ method, sentQuery }) => [method, sentQuery]),
    [
      ['POST', false],
      ['POST', true],
      ['POST', false],
    ],
  );
});
