// Watches the figures of the shop while operations are answered.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse, quantile, rate } from '../internal/gateway/playground/src/figures/metrics.js';
import { seriousViolations } from './axe.mjs';
import { launch, watch } from './browser.mjs';
import { freePort, startOwn } from './process.mjs';

let gateway, metrics, browser;

before(async () => {
  const METRICS_ADDR = `127.0.0.1:${await freePort()}`;
  metrics = `http://${METRICS_ADDR}`;
  gateway = await startOwn({ METRICS_ADDR }, ['serve']);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await gateway?.remove();
});

const histogram = (counts) =>
  Object.entries(counts).map(([le, n]) => `took_bucket{operation="A \\"b\\"",le="${le}"} ${n}`).join('\n');

test('rates and quantiles are those of Prometheus', () => {
  const before = { at: 10, samples: parse(`# HELP took Seconds.\n${histogram({ 0.1: 5, 0.5: 5, '+Inf': 5 })}\nsent_total 40`) };
  const after = { at: 20, samples: parse(`${histogram({ 0.1: 10, 0.5: 14, '+Inf': 15 })}\nsent_total 100`) };
  assert.deepEqual(after.samples[0], { name: 'took_bucket', labels: { operation: 'A "b"', le: '0.1' }, value: 10 });
  assert.equal(rate(before, after, 'sent_total'), 6);
  assert.equal(rate(after, { at: 30, samples: parse('sent_total 20') }, 'sent_total'), 2, 'after a restart');
  assert.equal(quantile(0.5, before, after, 'took'), 0.1);
  assert.equal(quantile(0.7, before, after, 'took').toFixed(3), '0.300');
  assert.equal(quantile(0.99, before, after, 'took'), 0.5, 'in the last bucket');
  assert.equal(quantile(0.5, after, after, 'took'), undefined);
});

test('the page has what was answered meanwhile, the dearest first', async () => {
  const page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
  const faults = await watch(page, metrics);
  await page.goto(`${metrics}/figures`);
  await page.getByText('No operation was answered.').waitFor();
  const send = (query) => fetch(`${gateway.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) });
  for (let i = 0; i < 4; i++) {
    await send('query Cheap { __typename }');
    await send('query Users { a: user(id: "VXNlcjox") { name } b: user(id: "VXNlcjoy") { name } }');
  }
  const operations = page.getByRole('region', { name: 'Operations, the dearest first' });
  const users = operations.getByRole('row', { name: /^Users/ });
  await operations.getByRole('row', { name: /^Cheap/ }).waitFor();
  const names = await operations.getByRole('rowheader').allTextContents();
  assert.deepEqual(names.filter((name) => name !== 'other'), ['Users', 'Cheap']); // a name is of its own once it is known
  const [, , unitsOfOne] = await users.getByRole('cell').allTextContents();
  assert.equal(unitsOfOne, '1', 'two Gets of nothing');
  await page.getByRole('region', { name: 'Requests to DynamoDB' }).getByRole('row', { name: /^(Query|GetItem|BatchGetItem)/ }).first().waitFor();
  const throttled = (key, n) => `partita_dynamodb_throttled_key_requests{index="GSI1",key="${key}"} ${n}\n`;
  const hot = (units, key, n) => `partita_dynamodb_key_units_per_second{units="${units}",index="GSI1",key="${key}"} ${n}\n`;
  const hottest = hot('read', '5f4e3d2c1b0a', 31.4) + hot('write', '0a1b2c3d4e5f', 512.3) + hot('read', '0a1b2c3d4e5f', 2);
  await page.route('**/metrics', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()) + throttled('0a1b2c3d4e5f', 7) + throttled('5f4e3d2c1b0a', 1200) + hottest });
  });
  await page.route('**/figures/keys', (route) => route.fulfill({ json: { '0a1b2c3d4e5f': 'STATUS#PENDING' } }));
  const keys = page.getByRole('region', { name: 'Throttled partition keys' });
  await keys.getByRole('row', { name: 'GSI1: STATUS#PENDING 7' }).waitFor();
  assert.deepEqual(await keys.getByRole('rowheader').allTextContents(), ['GSI1: 5f4e3d2c1b0a', 'GSI1: STATUS#PENDING']);
  const busy = page.getByRole('region', { name: 'Partition keys that consume most' });
  await busy.getByRole('row', { name: 'GSI1: STATUS#PENDING 2 512' }).waitFor();
  await busy.getByRole('row', { name: 'GSI1: 5f4e3d2c1b0a 31.4 –' }).waitFor();
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1300, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await seriousViolations(page), [], `${colorScheme}, ${width}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
  }
  assert.deepEqual(faults, []);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
});
