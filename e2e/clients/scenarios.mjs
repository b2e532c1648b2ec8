// What is done with each client, and what is the same for all: the operations, who sends them, and what is checked
// without the client. What a developer sees in a client is in the client's own file.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { endpoint } from '../gateway.mjs';
import { globalId, tokenOf } from '../shop.mjs';
import { assertDocumented } from './documented.mjs';
import { allOrders, demoUser, newViewer, ownGateway, recordingFetch, storedName } from './fixture.mjs';
import { assertSeen } from './seen.mjs';

const page = `
  edges { cursor node { id } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

/** The operations. Relay's compiler wants names that begin with that of their module. */
export const operations = {
  profile: `query ShopProfileQuery($user: ID!) { user(id: $user) { id name } }`,
  email: `query ShopEmailQuery($user: ID!) { user(id: $user) { id name email } }`,
  orders: `query ShopOrdersQuery($user: ID!, $first: Int) {
    user(id: $user) { id name orders(first: $first) { totalCount } }
  }`,
  forwards: `query ShopForwardsQuery($user: ID!, $first: Int!, $after: String) {
    user(id: $user) { id orders(first: $first, after: $after) { ${page} } }
  }`,
  backwards: `query ShopBackwardsQuery($user: ID!, $last: Int!, $before: String) {
    user(id: $user) { id orders(last: $last, before: $before) { ${page} } }
  }`,
  costly: `query ShopCostlyQuery($user: ID!) {
    user(id: $user) {
      id
      followers(first: 100) { nodes { id orders(first: 100) { nodes { id items(first: 100) { nodes { id } } } } } }
    }
  }`,
  nodes: `query ShopNodesQuery($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }`,
  rename: `mutation ShopRenameMutation($input: UpdateUserInput!) {
    updateUser(input: $input) { user { id name version } userErrors { code field message } }
  }`,
};

/** A document that fits no schema of the shop: the client was built for another version of it. */
export const notValid = operations.profile.replace('id name', 'id nam');

/** The cases in the order of the tables in docs/how-to/clients.md, with their first cells there. */
export const cases = {
  query: 'a query',
  partial: 'a field fails',
  forbidden: 'a field is not allowed',
  invalid: 'the query is not valid',
  variable: 'a variable has the wrong type',
  costly: 'the operation may cost too much',
  unauthenticated: 'the token has expired',
  throttled: 'too many requests, for longer than the client waits',
  retried: 'the budget is used up for a moment',
  success: 'a mutation',
  mistake: 'a mutation with a mistake',
  conflict: 'a mutation of an outdated version',
  down: 'the gateway is down',
};

const pageSize = 5;
const maxRequests = 100; // of a client, so that paging ends
const attempts = 20; // at using up a budget that is enough for one operation

/**
 * Registers the tests of a client:
 *
 * - `name`: the heading of its section in docs/how-to/clients.md
 * - `connect({ url, token, record })`: a client as the section sets it up, whose `run(operation, variables)` returns
 *   what the developer has afterwards, an object of named values. A client that does not use `fetch` calls `record`
 *   for each response
 * - `pages(client, direction, variables)`: the pages of a connection by the client's own means, as
 *   `{ pages: [[id]], all: [id] }`, where `all` is the list that the client has at the end
 * - `scope`: further names that the expressions of `sees` use
 * - `sees`: for each case the HTTP status, null without a response, and expressions with their values
 */
export function scenarios({ name, connect, pages, scope = {}, sees }) {
  let user, own, exchanges;

  before(async () => {
    [user, own] = await Promise.all([demoUser(), ownGateway()]);
  });
  const { fetch } = globalThis;
  after(() => {
    globalThis.fetch = fetch;
    return own?.remove();
  });

  /** A client whose responses are recorded. */
  function open({ url = endpoint, token } = {}) {
    exchanges = [];
    const record = (exchange) => {
      exchanges.push(exchange);
      assert.ok(exchanges.length < maxRequests, 'the client does not stop asking');
    };
    globalThis.fetch = recordingFetch(record);
    return connect({ url, token, record });
  }

  const statuses = () => exchanges.map(({ status }) => status);

  /** Compares what the client shows with what is expected of it. */
  function assertSees(key, outcome) {
    const { status, ...expected } = sees[key];
    assert.deepEqual(statuses().slice(-1), status === null ? [] : [status]);
    assertSeen(expected, { ...outcome, ...scope });
  }

  describe(name, () => {
    test('each case has an expectation, and docs/how-to/clients.md shows them', async () => {
      assert.deepEqual(Object.keys(sees), Object.keys(cases));
      await assertDocumented(name, cases, sees);
    });

    const reads = {
      query: (client) => client.run('profile', { user: user.id }),
      partial: (client) => client.run('orders', { user: user.id, first: -1 }),
      invalid: (client) => client.run('notValid', { user: user.id }),
      variable: (client) => client.run('orders', { user: user.id, first: '10' }),
      costly: (client) => client.run('costly', { user: user.id }),
    };
    for (const [key, read] of Object.entries(reads)) {
      test(cases[key], async () => assertSees(key, await read(await open({ token: user.token }))));
    }

    test(cases.forbidden, async () => assertSees('forbidden', await (await open()).run('email', { user: user.id })));

    test(cases.unauthenticated, async () => {
      const token = await tokenOf(user.id, { claims: { exp: Math.floor(Date.now() / 1000) - 60 } });
      const client = await open({ token });
      assertSees('unauthenticated', await client.run('profile', { user: user.id }));
    });

    test('a connection has the same objects in both directions', async () => {
      const expected = await allOrders();
      assert.ok(expected.length > 2 * pageSize, `${expected.length} orders are too few to page through`);
      const sizes = Array.from({ length: Math.ceil(expected.length / pageSize) }, (_, i) =>
        Math.min(pageSize, expected.length - i * pageSize),
      );

      const forwards = await pages(await open({ token: user.token }), 'forwards', { user: user.id, first: pageSize });
      assert.deepEqual(forwards.pages.flat(), expected);
      assert.deepEqual(forwards.all, expected);
      assert.deepEqual(forwards.pages.map((page) => page.length), sizes);
      assert.deepEqual(statuses(), sizes.map(() => 200));

      const backwards = await pages(await open({ token: user.token }), 'backwards', { user: user.id, last: pageSize });
      assert.deepEqual(backwards.pages.toReversed().flat(), expected);
      assert.deepEqual(backwards.all, expected);
      assert.deepEqual(backwards.pages.map((page) => page.length), sizes);
      assert.deepEqual(statuses(), sizes.map(() => 200));
    });

    test(cases.throttled, async () => {
      const client = await open({ url: own.endpoint });
      await client.run('rename', { input: { version: 1 } }); // the only mutation within a minute
      assertSees('throttled', await client.run('rename', { input: { version: 1 } }));
    });

    test(cases.retried, async () => {
      const absent = () => globalId('User', crypto.randomUUID());
      const client = await open({ url: own.endpoint, token: await tokenOf(absent()) });
      let outcome;
      for (let i = 0; i < attempts && !statuses().includes(429); i++) {
        outcome = await client.run('nodes', { ids: [user.id, absent(), absent()] }); // most of the budget
      }
      assertSees('retried', outcome);
      assert.deepEqual(statuses().slice(-2), [429, 200]);
      const [refused, retried] = exchanges.slice(-2);
      assert.ok(refused.retryAfter >= 1);
      assert.ok(retried.at - refused.at >= refused.retryAfter * 1000, 'the client has not waited for Retry-After');
    });

    test('mutations: what was written is stored, a mistake is not', async () => {
      const { id, version, token } = await newViewer();
      const client = await open({ token });
      const rename = (changes) => client.run('rename', { input: { version, ...changes } });

      assertSees('mistake', await rename({ name: '' }));
      assert.equal(await storedName(id), 'Grace Hopper');

      assertSees('success', await rename({ name: 'Rear Admiral Hopper' }));
      assert.equal(await storedName(id), 'Rear Admiral Hopper');
      if (client.cachedName) assert.equal(await client.cachedName(id), 'Rear Admiral Hopper');

      assertSees('conflict', await rename({ name: 'Amazing Grace' })); // the version from before
      assert.equal(await storedName(id), 'Rear Admiral Hopper');
    });

    test(`${cases.down}, and it returns`, async () => {
      const client = await open({ url: own.endpoint });
      await own.stop();
      assertSees('down', await client.run('profile', { user: user.id }));
      await own.start();
      assertSees('query', await client.run('profile', { user: user.id }));
    });
  });
}
