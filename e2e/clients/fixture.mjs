// What the tests of the clients share: the demo user, gateways that can be stopped, and a look at what clients send.
import assert from 'node:assert/strict';
import { defaultQuery } from '../gateway.mjs';
import { startOwn } from '../process.mjs';
import { newUser, read, signIn, tokenOf } from '../shop.mjs';

const { fetch } = globalThis; // tests put the next one in its place

/** A `fetch` that records what /graphql has returned: the status, the seconds of Retry-After, and when that was. */
export const recordingFetch = (record) => async (...request) => {
  const response = await fetch(...request);
  if (new URL(response.url).pathname === '/graphql') {
    record({ status: response.status, retryAfter: Number(response.headers.get('retry-after')), at: performance.now() });
  }
  return response;
};

/** Who the demo data are about. */
export async function demoUser() {
  const [, id] = (await defaultQuery()).match(/user\(id: "([^"]+)"\)/);
  return { id, token: await tokenOf(id) };
}

/** A user that no other test knows. */
export async function newViewer() {
  const { id, version } = await newUser({ name: 'Grace Hopper' });
  return { id, version, token: await tokenOf(id) };
}

/** The name of a user as it is stored now, whatever a client has in its cache. */
export async function storedName(id) {
  const { user } = await read('query ($id: ID!) { user(id: $id) { name } }', { id });
  return user.name;
}

/** The ids of all orders of the demo user, newest first, by one request for a page of 100. */
export async function allOrders() {
  const { id } = await demoUser();
  const query = 'query ($id: ID!) { user(id: $id) { orders(first: 100) { nodes { id } pageInfo { hasNextPage } } } }';
  const { orders } = (await read(query, { id }, { as: await signIn(id) })).user;
  assert.equal(orders.pageInfo.hasNextPage, false, 'the demo user has more orders than one page shows');
  return orders.nodes.map((order) => order.id);
}

/**
 * Starts a gateway for few requests. The budget is 2 read units: enough for one operation of `nodes` with 3 ids, which
 * takes 1.5 and a few objects, and for the next one about a second later. Without a token, one mutation a minute is
 * executed.
 */
export async function ownGateway(settings) {
  const fewRequests = { READ_UNITS_BUCKET: '2', READ_UNITS_RESTORE: '1', ANONYMOUS_MUTATIONS_PER_MINUTE: '1' };
  const own = await startOwn({ ...fewRequests, ...settings });
  return Object.assign(own, { endpoint: `${own.url}/graphql` });
}
