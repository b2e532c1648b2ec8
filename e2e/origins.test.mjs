// Does to the gateway what a page of another origin can make a real browser do.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { endpoint } from './gateway.mjs';

const query = `${endpoint}?query=${encodeURIComponent('{ __typename }')}`;

let foreign, browser;

before(async () => {
  foreign = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>')).listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  browser = await launch();
});

after(async () => {
  await browser.close();
  foreign.close();
});

/** Opens the foreign page, lets it do something, and gives the status of what the gateway answers to that. */
async function answered(action, argument) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${foreign.address().port}/`);
  const [response] = await Promise.all([page.waitForResponse((r) => r.url().startsWith(endpoint)), page.evaluate(action, argument)]);
  await page.close();
  return response.status();
}

test('a frame that is a query is refused', async () => {
  const status = await answered((url) => document.body.append(Object.assign(document.createElement('iframe'), { src: url })), query);
  assert.equal(status, 403);
});

test('a link that is a query is refused', async () => {
  const status = await answered((url) => {
    const link = Object.assign(document.createElement('a'), { href: url });
    document.body.append(link);
    link.click();
  }, query);
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
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${foreign.address().port}/`);
  const seen = await page.evaluate(
    async ([get, post]) => {
      const look = (promise) => promise.then((r) => r.text()).catch((error) => error.name);
      const headers = { 'content-type': 'application/json' };
      return [await look(fetch(get)), await look(fetch(post, { method: 'POST', headers, body: '{"query":"{__typename}"}' }))];
    },
    [query, endpoint],
  );
  await page.close();
  assert.deepEqual(seen, ['TypeError', 'TypeError']);
});

test('the same query from the address bar is answered', async () => {
  const page = await browser.newPage();
  const response = await page.goto(query);
  await page.close();
  assert.equal(response.status(), 200);
});
