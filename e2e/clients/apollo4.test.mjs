// Uses the gateway as a frontend with Apollo Client 4 does: a normalised cache, Relay pagination, links.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { gql } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { endpoint } from '../gateway.mjs';
import { fetchAll } from './apollo.mjs';
import { moduleIn } from './documented.mjs';
import { allOrders, demoUser, recordingFetch } from './fixture.mjs';
import { notValid, operations, scenarios } from './scenarios.mjs';

const name = 'Apollo Client 4';
const texts = Object.entries({ ...operations, notValid });
const documents = Object.fromEntries(texts.map(([key, text]) => [key, gql(text)]));

async function connect(to) {
  const { client } = await moduleIn(name, to);
  return {
    client,
    async run(operation, variables) {
      const document = documents[operation];
      const isMutation = document.definitions[0].operation === 'mutation';
      const { data, error } = isMutation
        ? await client.mutate({ mutation: document, variables })
        : await client.query({ query: document, variables, fetchPolicy: 'network-only' });
      return { data, error };
    },
    cachedName: (id) => client.readFragment({ id: `User:${id}`, fragment: gql('fragment Name on User { name }') }).name,
  };
}

const mistake = (code) => ({ 'data.updateUser.userErrors[0].code': code });
const failed = (code) => ({ 'CombinedGraphQLErrors.is(error)': true, 'error.errors[0].extensions.code': code });
const ok = { error: undefined };

scenarios({
  name,
  connect,
  pages: ({ client }, direction, variables) => fetchAll(client, documents[direction], direction, variables),
  scope: { CombinedGraphQLErrors },
  sees: {
    query: { status: 200, 'data.user.name': 'Ada Lovelace', ...ok },
    partial: { status: 294, 'data.user.name': 'Ada Lovelace', 'data.user.orders': null, ...failed('BAD_USER_INPUT') },
    forbidden: { status: 294, 'data.user.name': 'Ada Lovelace', 'data.user.email': null, ...failed('FORBIDDEN') },
    invalid: { status: 422, data: undefined, ...failed('GRAPHQL_VALIDATION_FAILED') },
    variable: { status: 422, data: undefined, ...failed('BAD_USER_INPUT') },
    costly: { status: 422, data: undefined, ...failed('COST_LIMIT'), 'error.message': /With first: \d+/ },
    unauthenticated: { status: 401, data: undefined, ...failed('UNAUTHENTICATED') },
    throttled: { status: 429, data: undefined, ...failed('RATE_LIMITED') },
    retried: { status: 200, 'data.nodes[0].__typename': 'User', ...ok },
    success: { status: 200, 'data.updateUser.user.version': 2, 'data.updateUser.userErrors': [], ...ok },
    mistake: { status: 200, 'data.updateUser.user': null, ...mistake('INVALID'), ...ok },
    conflict: { status: 200, 'data.updateUser.user.version': 2, ...mistake('CONFLICT'), ...ok },
    down: { status: null, data: undefined, 'error.message': 'fetch failed' },
  },
});

describe('the cache of Apollo Client 4', () => {
  const ORDERS = gql`
    query Orders($user: ID!, $first: Int!) {
      user(id: $user) {
        id
        name
        orders(first: $first) {
          edges {
            cursor
            node {
              id
              status
            }
          }
        }
      }
    }
  `;
  let user, client, sent;

  before(async () => {
    user = await demoUser();
  });

  beforeEach(async () => {
    sent = 0;
    globalThis.fetch = recordingFetch(() => sent++);
    ({ client } = await connect({ url: endpoint, token: user.token }));
  });

  test('is normalised by id and answers again without a request', async () => {
    const variables = { user: user.id, first: 3 };
    const { data } = await client.query({ query: ORDERS, variables });
    assert.equal(sent, 1);

    const order = data.user.orders.edges[0].node;
    const cached = client.cache.extract();
    assert.equal(cached[`User:${user.id}`].name, data.user.name);
    assert.equal(cached[`Order:${order.id}`].status, order.status);

    const fragment = gql('fragment Status on Order { status }');
    assert.equal(client.readFragment({ id: `Order:${order.id}`, fragment }).status, order.status);
    const again = await client.query({ query: ORDERS, variables });
    assert.deepEqual(again.data, data);
    assert.equal(sent, 1);
  });

  test('keeps the beginning and the end of a list apart', async () => {
    const orders = await allOrders();
    const ids = ({ data }) => data.user.orders.edges.map(({ node }) => node.id);
    const beginning = { query: documents.forwards, variables: { user: user.id, first: 2 } };
    const end = { query: documents.backwards, variables: { user: user.id, last: 2 } };
    sent = 0;
    for (let i = 0; i < 2; i++) {
      assert.deepEqual(ids(await client.query(beginning)), orders.slice(0, 2));
      assert.deepEqual(ids(await client.query(end)), orders.slice(-2));
    }
    assert.equal(sent, 2);
  });

  test('has an object that was found by two ways once, and knows what a Node can be', async () => {
    const { data } = await client.query({ query: ORDERS, variables: { user: user.id, first: 1 } });
    const { id } = data.user.orders.edges[0].node;
    const query = gql`
      query Node($id: ID!) {
        node(id: $id) {
          id
          ...Dated
        }
      }
      fragment Dated on Node {
        ... on Order {
          status
          createdAt
        }
      }
    `;
    const byId = await client.query({ query, variables: { id } });
    assert.equal(byId.data.node.id, id);
    const entries = Object.keys(client.cache.extract()).filter((key) => key.endsWith(id));
    assert.deepEqual(entries, [`Order:${id}`]);
    assert.equal(client.cache.extract()[`Order:${id}`].createdAt, byId.data.node.createdAt);
  });
});
