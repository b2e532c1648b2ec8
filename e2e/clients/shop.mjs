// The shop as the tests of the clients use it: its demo user, users of their own, requests without a client, further
// gateways.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SignJWT } from 'jose';
import { endpoint, settings } from '../gateway.mjs';
import { ready, root, start } from '../process.mjs';

const run = promisify(execFile);
const fewRequests = { READ_UNITS_BUCKET: '2', READ_UNITS_RESTORE: '1', ANONYMOUS_MUTATIONS_PER_MINUTE: '1' };
const secret = 'the secret of the gateways that these tests start';

/** The function itself: tests put another one in its place to see what a client sends. */
const { fetch } = globalThis;

/** A `fetch` that records what /graphql has returned: the status, the seconds of Retry-After, and when that was. */
export const recordingFetch = (record) => async (...request) => {
  const response = await fetch(...request);
  if (new URL(response.url).pathname === '/graphql') {
    record({ status: response.status, retryAfter: Number(response.headers.get('retry-after')), at: performance.now() });
  }
  return response;
};

/** Who the demo data are about: the global id, and a token. */
export async function demoUser() {
  const { defaultQuery, headers } = await settings();
  const [, id] = defaultQuery.match(/user\(id: "([^"]+)"\)/);
  return { id, token: headers.Authorization.replace(/^Bearer /, '') };
}

/** Sends an operation without any client, and returns the response's JSON. */
export async function send(query, variables, token, url = endpoint) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

/** Creates a user that only one test knows, and signs in as that user. */
export async function newUser() {
  const { token } = await demoUser(); // without a token the gateway counts mutations
  const input = { name: 'Grace Hopper', email: `${crypto.randomUUID()}@example.com` };
  const { data } = await send(
    `mutation($input: CreateUserInput!) { createUser(input: $input) { user { id version } userErrors { code } } }`,
    { input },
    token,
  );
  assert.deepEqual(data.createUser.userErrors, []);
  const { user } = data.createUser;
  const { stdout } = await run(join(root, 'bin', 'partita'), ['token', user.id]);
  return { ...user, token: stdout.trim() };
}

/** The name of a user as it is stored now, whatever a client believes. */
export async function storedName(id) {
  const { data } = await send('query($id: ID!) { user(id: $id) { name } }', { id });
  return data.user.name;
}

/** The ids of all orders of the demo user, newest first, by one request for a page of 100. */
export async function allOrders() {
  const { id, token } = await demoUser();
  const query = 'query($id: ID!) { user(id: $id) { orders(first: 100) { nodes { id } pageInfo { hasNextPage } } } }';
  const { data } = await send(query, { id }, token);
  assert.equal(data.user.orders.pageInfo.hasNextPage, false, 'the demo user has more orders than one page shows');
  return data.user.orders.nodes.map((order) => order.id);
}

/** A token that a gateway of ownGateway trusts. Times are as in `setExpirationTime` of jose. */
export function ownToken(subject, expires = '1h') {
  const token = new SignJWT().setProtectedHeader({ alg: 'HS256' }).setSubject(subject).setExpirationTime(expires);
  return token.sign(new TextEncoder().encode(secret));
}

/**
 * Starts a gateway for few requests. The budget is 2 read units: enough for one operation of `nodes` with 3 ids, which
 * takes 1.5 and a few objects, and for the next one about a second later. Without a token, one mutation a minute is
 * executed. `stop` and `start` keep the address and the data, `remove` does not.
 */
export async function ownGateway(settings = {}) {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'partita-clients-'));
  const environment = { DATA_DIR, JWT_SECRET: secret, ...fewRequests, ...settings };
  let gateway = await start(['serve'], environment);
  await ready(gateway);
  const { url } = gateway;
  const stop = async () => {
    gateway.process.kill('SIGTERM');
    await gateway.exited;
  };
  return {
    url: `${url}/graphql`,
    stop,
    async start() {
      gateway = { ...(await start(['serve'], { ...environment, ADDR: new URL(url).host })), url };
      await ready(gateway);
    },
    async remove() {
      if (gateway.process.exitCode === null) await stop();
      await rm(DATA_DIR, { recursive: true, force: true });
    },
  };
}
