// What the tests of the storefront share: the app against a gateway, users of their own, and pages that are watched.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before } from 'node:test';
import { launch, watch } from '../browser.mjs';
import { origin } from '../gateway.mjs';
import { ask, mutate, newUser, send, signIn } from '../shop.mjs';
import { serve } from './serve.mjs';

/** Ada Lovelace of the demo data: more orders and followers than fit on a page. */
export const ada = { id: 'VXNlcjowMTk5OWVjOS0wYzAwLTczYjMtYWViNS1mNzVlMDE2YWViYTU', name: 'Ada Lovelace' };

/**
 * Serves the storefront for the tests of a file. After each test its pages are closed, and must have no faults but
 * those that the test has announced.
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
    for (const { faults, expected } of all)
      assert.deepEqual(
        faults.filter((fault) => !expected.test(fault)),
        [],
      );
  });

  /** Opens a page as a user, or without one, in a browser context of its own. `expected` matches faults of the test. */
  shop.visit = async (path, user, { expected = /^$/, ...options } = {}) => {
    const context = await shop.browser.newContext({
      locale: 'en',
      timezoneId: 'UTC',
      viewport: { width: 1100, height: 800 },
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const faults = await watch(page, shop.url, shop.gateway);
    // A page that is left aborts its requests.
    visits.push({ context, faults, expected: new RegExp(`ERR_ABORTED|${expected.source}`) });
    if (user) {
      const token = (await signIn(user.id)).authorization.replace('Bearer ', '');
      const session = JSON.stringify({ userId: user.id, name: user.name, token });
      await page.route(`${shop.url}/blank.txt`, (route) => route.fulfill({ body: '' }));
      await page.goto(`${shop.url}/blank.txt`);
      await page.evaluate((text) => sessionStorage.setItem('session', text), session);
    }
    await page.goto(shop.url + path);
    return page;
  };

  const url = () => `${shop.gateway}/graphql`;

  /** Asks the gateway by plain HTTP. */
  shop.ask = async (query, variables, user = ada) => ask(query, variables, { as: await signIn(user.id), url: url() });

  /** A new user, so that no test sees what another one does. */
  shop.createUser = (name = 'Tess Tester') => newUser({ name, url: url() });

  /** A new order of one line for 6.90 EUR. */
  shop.placeOrder = async ({ as }) => {
    const lines = [{ sku: 'TEA-001', name: 'Green tea, 100 g', price: 690, quantity: 1 }];
    const { order, userErrors } = await mutate(
      'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id status } userErrors { message } } }',
      { idempotencyKey: randomUUID(), currency: 'EUR', lines },
      as,
      { url: url() },
    );
    assert.deepEqual(userErrors, []);
    return order;
  };

  /** Spends some of a user's budget, whether there is any or not. */
  shop.spend = ({ as }, people) =>
    send(`{ user(id: "${ada.id}") { followers(first: ${people}) { nodes { name } } } }`, {}, { as, url: url() });

  shop.ordersOf = async (user) => {
    const { orders } = (
      await shop.ask(
        'query($id: ID!) { user(id: $id) { orders(first: 100) { nodes { id status createdAt } } } }',
        user,
        user,
      )
    ).user;
    return orders.nodes;
  };

  return shop;
}

/** Holds an operation back until `release` is called, or `abort`, which breaks the connection. */
export async function hold(page, operation) {
  let settle;
  const held = new Promise((resolve) => (settle = resolve));
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON()?.operationName === operation) await (await held)(route);
    else await route.fallback();
  });
  return {
    release: () => settle((route) => route.fallback()),
    abort: () => settle((route) => route.abort('connectionreset')),
  };
}

/** Answers an operation with 429 once, as the gateway does when a budget is used up. */
export async function throttle(page, operation, seconds) {
  let isFirst = true;
  await page.route('**/graphql', async (route) => {
    if (!isFirst || route.request().postDataJSON()?.operationName !== operation) return route.fallback();
    isFirst = false;
    await route.fulfill({
      status: 429,
      contentType: 'application/graphql-response+json',
      headers: {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Retry-After',
        'retry-after': String(seconds),
      },
      json: { errors: [{ message: 'Too many.', extensions: { code: 'RATE_LIMITED' } }] },
    });
  });
}
