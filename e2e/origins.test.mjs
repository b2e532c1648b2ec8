// Does to the gateway what a page of another origin can make a real browser do.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { endpoint, settings } from './gateway.mjs';
import { startOwn } from './process.mjs';

const get = (url, query = '{ __typename }') => `${url}?query=${encodeURIComponent(query)}`;

/** The pages' server. The browser resolves *.test to this machine: such pages have an origin that is not loopback. */
let pages, browser, strict, port;

before(async () => {
  pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>')).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  port = pages.address().port;
  browser = await launch('--host-resolver-rules=MAP *.test 127.0.0.1');
  strict = await startOwn({
    CORS_ORIGINS: `http://allowed.test:${port}`,
    CORS_HEADERS: 'X-Region',
    READ_UNITS_BUCKET: '60',
    READ_UNITS_RESTORE: '0.1',
  });
});

after(async () => {
  await browser?.close();
  pages.close();
  await strict?.remove();
});

/** Opens a page of a host, and gives what a function returns there, and what the browser says on the console. */
async function on(host, action, argument) {
  const page = await browser.newPage();
  const messages = [];
  page.on('console', (message) => messages.push(message.text()));
  await page.goto(`http://${host}:${port}/`);
  const result = await page.evaluate(action, argument);
  await page.close();
  return { result, messages: messages.join('\n') };
}

/** Sends an operation from a page: the status, the body and the headers that the page can read, or the error's name. */
const sent = async ([url, query, headers = {}, variables]) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.json() };
  } catch (error) {
    return { error: error.name };
  }
};

/** Opens the foreign page, lets it do something, and gives the status of what the gateway answers to that. */
async function answered(action, argument) {
  const page = await browser.newPage();
  await page.goto(`http://foreign.test:${port}/`);
  const [response] = await Promise.all([page.waitForResponse((r) => r.url().startsWith(endpoint)), page.evaluate(action, argument)]);
  await page.close();
  return response.status();
}

test('a frame that is a query is refused', async () => {
  const status = await answered((url) => document.body.append(Object.assign(document.createElement('iframe'), { src: url })), get(endpoint));
  assert.equal(status, 403);
});

test('a link that is a query is refused', async () => {
  const status = await answered((url) => {
    const link = Object.assign(document.createElement('a'), { href: url });
    document.body.append(link);
    link.click();
  }, get(endpoint));
  assert.equal(status, 403);
});

for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
  test(`a form in ${enctype} is refused`, async () => {
    const status = await answered(
      ([action, type]) => {
        const form = Object.assign(document.createElement('form'), { action, method: 'POST', enctype: type });
        const field = Object.assign(document.createElement('input'), { name: '{"query":"{__typename}","a":"', value: '"}' });
        form.append(field);
        document.body.append(form);
        form.submit();
      },
      [endpoint, enctype],
    );
    assert.equal(status, 403);
  });
}

test('a query by fetch is refused, and the page sees nothing of it', async () => {
  const { result } = await on('foreign.test', (url) => fetch(url).then((r) => r.text(), (error) => error.name), get(endpoint));
  assert.equal(result, 'TypeError');
  assert.deepEqual((await on('foreign.test', sent, [endpoint, '{ __typename }'])).result, { error: 'TypeError' });
});

test('the browser names the refused origin, and the log the setting that allows it', async () => {
  const origin = `http://foreign.test:${port}`;
  const { result, messages } = await on('foreign.test', sent, [`${strict.url}/graphql`, '{ __typename }']);
  assert.deepEqual(result, { error: 'TypeError' });
  assert.match(messages, new RegExp(`from origin '${origin}' has been blocked by CORS policy`));
  assert.match(messages, /No 'Access-Control-Allow-Origin' header/);
  assert.ok(strict.log().includes(`origin=${origin} setting="CORS_ORIGINS=http://allowed.test:${port},${origin}"`), strict.log());
});

test('the same query from the address bar is answered', async () => {
  const page = await browser.newPage();
  const response = await page.goto(get(endpoint));
  await page.close();
  assert.equal(response.status(), 200);
});

for (const host of ['localhost', '127.0.0.1']) {
  test(`a page of ${host} reads and writes`, async () => {
    const { headers } = await settings();
    const variables = { input: { name: 'Origin', email: `${randomUUID()}@example.com` } };
    const mutation = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id name } userErrors { code } } }';
    const { result: written } = await on(host, sent, [endpoint, mutation, headers, variables]);
    assert.equal(written.status, 200);
    const { user } = written.body.data.createUser;
    const { result: read } = await on(host, sent, [endpoint, `{ user(id: "${user.id}") { name } }`, headers]);
    assert.deepEqual(read.body.data, { user: { name: 'Origin' } });
    assert.ok(read.headers['x-request-id']);
    const { result: text } = await on(host, (url) => fetch(url).then((r) => r.text()), get(endpoint));
    assert.match(text, /"__typename":"Query"/);
  });
}

test('a page of localhost reads a plan', async () => {
  const { result } = await on('localhost', sent, [endpoint.replace(/graphql$/, 'plan'), '{ viewer { name } }']);
  assert.equal(result.status, 200);
  assert.ok(result.body.plan);
});

test('a page of an allowed origin sends the headers of CORS_HEADERS, and no others', async () => {
  const url = `${strict.url}/graphql`;
  const { result } = await on('allowed.test', sent, [url, '{ __typename }', { 'x-region': 'eu' }]);
  assert.deepEqual(result.body.data, { __typename: 'Query' });
  const other = await on('allowed.test', sent, [url, '{ __typename }', { 'x-color': 'red' }]);
  assert.deepEqual(other.result, { error: 'TypeError' });
  assert.match(other.messages, /Request header field x-color is not allowed by Access-Control-Allow-Headers/);
  assert.ok(strict.log().includes('setting="CORS_HEADERS=X-Region,X-Color"'), strict.log());
});

test('a page of an allowed origin reads the errors of an operation, and when to try again', async () => {
  const url = `${strict.url}/graphql`;
  const { result: invalid } = await on('allowed.test', sent, [url, '{ nope }']);
  assert.equal(invalid.body.errors[0].extensions.code, 'GRAPHQL_VALIDATION_FAILED');
  const { result: unauthorized } = await on('allowed.test', sent, [url, '{ __typename }', { authorization: 'Bearer nonsense' }]);
  assert.equal(unauthorized.status, 401);
  assert.match(unauthorized.headers['www-authenticate'], /^Bearer/);
  const { headers } = await settings();
  const { result: limited } = await on(
    'allowed.test',
    async ([url, headers]) => {
      const body = JSON.stringify({ query: '{ viewer { name orders(first: 10) { nodes { id items(first: 5) { nodes { sku } } } } } }' });
      for (let n = 0; n < 50; n++) {
        const response = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
        if (response.status === 429) return { retryAfter: response.headers.get('retry-after'), ...(await response.json()) };
      }
    },
    [url, headers],
  );
  assert.equal(limited?.errors[0].extensions.code, 'RATE_LIMITED');
  assert.ok(Number(limited.retryAfter) > 0);
});
