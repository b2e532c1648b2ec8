// What the tests of the storefront share: the app against a gateway, users of their own, and pages that are watched.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before } from 'node:test';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launch, watch } from '../browser.mjs';
import { origin } from '../gateway.mjs';
import { root } from '../process.mjs';
import { serve } from './serve.mjs';

/** Ada Lovelace of the demo data: more orders and followers than fit on a page. */
export const ada = { id: 'VXNlcjowMTk5OWVjOS0wYzAwLTczYjMtYWViNS1mNzVlMDE2YWViYTU', name: 'Ada Lovelace' };

/**
 * Serves the storefront for the tests of a file. After each test its pages are closed, and must have no faults but those
 * that the test has announced.
 *
 * @param {() => Promise<string>} gateway starts the gateway, if it is not the one of all tests
 */
export function storefront(gateway = async () => origin) {
  const shop = { browser: undefined, url: undefined, gateway: undefined };
  let server;
  const visits = [];

  before(async () => {
    shop.gateway = await gateway();
    [server, shop.browser] = await Promise.all([serve({ gateway: shop.gateway }), launch()]);
    shop.url = server.url;
  });
  after(() => Promise.all([server?.close(), shop.browser?.close()]));

  afterEach(async () => {
    const all = visits.splice(0);
    await Promise.all(all.map(({ context }) => context.close()));
    for (const { faults, expected } of all) assert.deepEqual(faults.filter((fault) => !expected.test(fault)), []);
  });

  /** Opens a page as a user, or without one, in a browser context of its own. `expected` matches faults that the test causes. */
  shop.visit = async (path, user, { expected = /^$/, ...options } = {}) => {
    const context = await shop.browser.newContext({ locale: 'en', timezoneId: 'UTC', viewport: { width: 1100, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const faults = await watch(page, shop.url, shop.gateway);
    // A page that is left aborts its requests.
    visits.push({ context, faults, expected: new RegExp(`ERR_ABORTED|${expected.source}`) });
    if (user) {
      const session = JSON.stringify({ userId: user.id, name: user.name, token: await token(user.id) });
      await page.route(`${shop.url}/blank.txt`, (route) => route.fulfill({ body: '' }));
      await page.goto(`${shop.url}/blank.txt`);
      await page.evaluate((text) => sessionStorage.setItem('session', text), session);
    }
    await page.goto(shop.url + path);
    return page;
  };

  /** Asks the gateway by plain HTTP, as a user or with roles. */
  shop.ask = async (query, variables = {}, as = ada) => {
    const response = await fetch(`${shop.gateway}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await token(as.id, ...(as.roles ?? []))}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data;
  };

  /** A new user, so that no test sees what another one does. */
  shop.createUser = async (name = 'Tess Tester') => {
    const { createUser } = await shop.ask(
      'mutation($input: CreateUserInput!) { createUser(input: $input) { user { id name version } userErrors { message } } }',
      { input: { name, email: `${randomUUID()}@example.com` } },
      { id: randomUUID() }, // anybody, with a budget of their own
    );
    assert.deepEqual(createUser.userErrors, []);
    return createUser.user;
  };

  shop.placeOrder = async (user, quantity = 1) => {
    const lines = [{ sku: 'TEA-001', name: 'Green tea, 100 g', price: 690, quantity }];
    const { placeOrder } = await shop.ask(
      'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id version status } userErrors { message } } }',
      { input: { idempotencyKey: randomUUID(), currency: 'EUR', lines } },
      user,
    );
    assert.deepEqual(placeOrder.userErrors, []);
    return placeOrder.order;
  };

  /** Spends some of a user's budget, whether there is any or not. */
  shop.spend = async (user, people) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await token(user.id)}` };
    const query = `{ user(id: "${ada.id}") { followers(first: ${people}) { nodes { name } } } }`;
    await (await fetch(`${shop.gateway}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).text();
  };

  shop.ordersOf = async (user) => {
    const { orders } = (await shop.ask('query($id: ID!) { user(id: $id) { orders(first: 100) { nodes { id status createdAt } } } }', user, user)).user;
    return orders.nodes;
  };

  return shop;
}

const tokens = new Map();

/** Mints a token as an identity provider would. */
async function token(id, ...roles) {
  const key = [id, ...roles].join();
  if (!tokens.has(key)) tokens.set(key, mint(id, roles));
  return tokens.get(key);
}

async function mint(id, roles) {
  const { stdout } = await promisify(execFile)(join(root, 'bin/partita'), ['token', id, ...roles.map((role) => `--role=${role}`)], { cwd: root });
  return stdout.trim();
}

/** Holds the responses to an operation back until `release` is called, or fails them with `abort`. */
export async function hold(page, operation) {
  const held = deferred();
  const sent = deferred();
  await page.route('**/graphql', async (route) => {
    const body = route.request().postDataJSON();
    if (body?.operationName !== operation) return route.fallback();
    sent.resolve(body);
    const act = await held.promise;
    await act(route);
  });
  return {
    sent: sent.promise,
    release: () => held.resolve((route) => route.fallback()),
    abort: () => held.resolve((route) => route.abort('connectionreset')),
    answer: (body) => held.resolve((route) => route.fulfill({ json: body, headers: { 'access-control-allow-origin': '*' } })),
  };
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}
