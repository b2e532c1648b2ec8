// Uses the gateway as a frontend does: Apollo Client with a normalised cache and Relay pagination.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, beforeEach, test } from 'node:test';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { relayStylePagination } from '@apollo/client/utilities';
import { filter, firstValueFrom } from 'rxjs';
import { endpoint, settings } from './gateway.mjs';

const pageSize = 3;

const ORDERS = gql`
  query Orders($user: ID!, $first: Int!, $after: String) {
    user(id: $user) {
      id
      name
      orders(first: $first, after: $after) {
        edges {
          cursor
          node {
            id
            status
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`;

let user, headers, client, sent;

before(async () => {
  const page = await settings();
  headers = page.headers;
  [, user] = page.defaultQuery.match(/user\(id: "([^"]+)"\)/);
});

beforeEach(() => {
  sent = 0;
  client = new ApolloClient({
    link: new HttpLink({
      uri: endpoint,
      headers,
      fetch: (...request) => {
        sent++;
        return fetch(...request);
      },
    }),
    cache: new InMemoryCache({ typePolicies: { User: { fields: { orders: relayStylePagination() } } } }),
  });
});

/** Everything that a page of 100 shows, read without Apollo. */
async function allOrders() {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: ORDERS.loc.source.body, variables: { user, first: 100 } }),
  });
  const { data } = await response.json();
  assert.equal(data.user.orders.pageInfo.hasNextPage, false, 'the demo user has more orders than one page shows');
  return data.user.orders.edges.map(({ node }) => node);
}

test('fetchMore pages through all orders, without gaps or repeats', async () => {
  const expected = await allOrders();
  assert.ok(expected.length > 2 * pageSize, `${expected.length} orders are too few to page through`);

  const variables = { user, first: pageSize };
  const query = client.watchQuery({ query: ORDERS, variables });
  const subscription = query.subscribe({});
  const first = await firstValueFrom(query.pipe(filter(({ loading }) => !loading)));
  let { pageInfo } = first.data.user.orders;
  while (pageInfo.hasNextPage) {
    const more = await query.fetchMore({ variables: { after: pageInfo.endCursor } });
    ({ pageInfo } = more.data.user.orders);
  }
  subscription.unsubscribe();

  const merged = client.readQuery({ query: ORDERS, variables });
  const paged = merged.user.orders.edges.map(({ node }) => ({ id: node.id, status: node.status }));
  assert.deepEqual(paged, expected);
  assert.equal(sent, Math.ceil(expected.length / pageSize));
});

test('the cache is normalised by id and answers again without a request', async () => {
  const variables = { user, first: pageSize };
  const { data } = await client.query({ query: ORDERS, variables });
  assert.equal(sent, 1);

  const order = data.user.orders.edges[0].node;
  const cached = client.cache.extract();
  assert.equal(cached[`User:${user}`].name, data.user.name);
  assert.equal(cached[`Order:${order.id}`].status, order.status);

  const fragment = gql`
    fragment Status on Order {
      status
    }
  `;
  assert.equal(client.readFragment({ id: `Order:${order.id}`, fragment }).status, order.status);
  const again = await client.query({ query: ORDERS, variables });
  assert.deepEqual(again.data, data);
  assert.equal(sent, 1);
});

test('an object found by two ways is one object in the cache', async () => {
  const { data } = await client.query({ query: ORDERS, variables: { user, first: 1 } });
  const { id } = data.user.orders.edges[0].node;
  const byId = await client.query({
    query: gql`
      query Order($id: ID!) {
        node(id: $id) {
          id
          ... on Order {
            status
            createdAt
          }
        }
      }
    `,
    variables: { id },
  });
  assert.equal(byId.data.node.id, id);
  const entries = Object.keys(client.cache.extract()).filter((key) => key.endsWith(id));
  assert.deepEqual(entries, [`Order:${id}`]);
  assert.equal(client.cache.extract()[`Order:${id}`].createdAt, byId.data.node.createdAt);
});

test('an error of a field comes with its code and path, and the rest of the data', async () => {
  const { data, error } = await client.query({
    query: gql`
      query Partly($user: ID!) {
        user(id: $user) {
          id
          name
          orders(first: -1) {
            edges {
              cursor
            }
          }
        }
      }
    `,
    variables: { user },
    errorPolicy: 'all',
  });
  assert.ok(CombinedGraphQLErrors.is(error), String(error));
  assert.equal(error.errors[0].extensions.code, 'BAD_USER_INPUT');
  assert.deepEqual(error.errors[0].path, ['user', 'orders']);
  assert.ok(data.user.name, 'the rest of the data is missing');
});

test('a refused operation is a GraphQL error with its code, not a network error', async () => {
  const refused = [
    [gql`{ noSuchField }`, {}, 'GRAPHQL_VALIDATION_FAILED'],
    [ORDERS, { user, first: '10' }, 'BAD_USER_INPUT'],
  ];
  for (const [query, variables, code] of refused) {
    const { error } = await client.query({ query, variables, errorPolicy: 'all' });
    assert.ok(CombinedGraphQLErrors.is(error), String(error));
    assert.equal(error.errors[0].extensions.code, code);
  }
});

/** A client that sends hashes, and what it has sent: each request's method and body or parameters, with the answer. */
function persistingClient() {
  const exchanges = [];
  const link = new PersistedQueryLink({
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    useGETForHashedQueries: true,
  });
  const http = new HttpLink({
    uri: endpoint,
    fetch: async (url, options) => {
      const answer = await fetch(url, options);
      const text = options.body ?? decodeURIComponent(new URL(url).search);
      exchanges.push({ method: options.method, sentQuery: /[?&]query=|"query":/.test(text), answer });
      return answer;
    },
  });
  return { exchanges, client: new ApolloClient({ link: link.concat(http), cache: new InMemoryCache() }) };
}

/** A query of its own for each run: no other test has sent its text before. */
const uniqueQuery = (selection) => gql(`query Persisted${process.pid}_${Date.now()}($user: ID!) { user(id: $user) { ${selection} } }`);

test('a persisted query is sent as text once, and by GET with its hash ever after', async () => {
  const query = uniqueQuery('id name');
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
  const mutation = gql`
    mutation Unfollow($user: ID!) {
      unfollowUser(input: { followeeId: $user }) {
        userErrors {
          code
        }
      }
    }
  `;
  const { client: sending, exchanges } = persistingClient();
  for (let i = 0; i < 2; i++) await sending.mutate({ mutation, variables: { user }, errorPolicy: 'all' });
  assert.ok(exchanges.every(({ method }) => method === 'POST'));
  assert.equal(exchanges.at(-1).sentQuery, false);
});
