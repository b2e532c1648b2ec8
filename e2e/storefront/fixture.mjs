// What the tests of the storefront share: the app against a gateway, users of their own, and pages that are watched.
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { launch, watch } from '../browser.mjs';
import { origin } from '../gateway.mjs';
import { ask, newOrder, newUser, send, signIn, tokenOf } from '../shop.mjs';
import { ada as adaId, serve } from './serve.mjs';

/** Ada Lovelace of the demo data: more orders and followers than fit on a page. */
export const ada = { id: adaId, name: 'Ada Lovelace' };

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
    shop.browser = await launch(); // first, so that it is closed if the app cannot be built
    server = await serve({ gateway: shop.gateway });
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

  /**
   * Opens a page as a user, or without one, in a browser context of its own. `expected` matches faults of the test, and
   * `claims` replace those of a valid token.
   */
  shop.visit = async (path, user, { expected = /^$/, claims, ...options } = {}) => {
    const context = await shop.browser.newContext({
      locale: 'en',
      timezoneId: 'UTC',
      viewport: { width: 1100, height: 800 },
      ...options,
    });
    const page = await context.newPage();
    const faults = await watch(page, shop.url, shop.gateway);
    // A page that is left aborts its requests.
    visits.push({ context, faults, expected: new RegExp(`ERR_ABORTED|${expected.source}`) });
    if (user) {
      const { id, name, isStaff } = user;
      const token = await tokenOf(id, { roles: isStaff ? ['ADMIN'] : [], claims });
      const session = JSON.stringify({ userId: id, name, isStaff, token });
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
  shop.placeOrder = ({ as }) =>
    newOrder(as, { lines: [{ sku: 'TEA-001', name: 'Green tea, 100 g', price: 690, quantity: 1 }] }, { url: url() });

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

/** Connects no WebSocket of a page, so that it does not hear of changes. */
export const deafen = (page) => page.routeWebSocket(/\/graphql$/, () => undefined);

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
