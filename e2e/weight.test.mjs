// What a first visit of each page transfers. A page that gets heavier fails, and one that gets lighter by a tenth has to
// be recorded.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { origin } from './gateway.mjs';

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

/** KB, compressed: the page and its assets until it is complete, without what it asks the gateway. */
const recorded = {
  '/': [1264, (page) => page.locator('.plan-box').first()],
  '/design': [12, (page) => page.getByRole('heading', { level: 1 })],
  '/table': [97, (page) => page.getByRole('navigation', { name: 'Partitions' }).getByRole('link').first()],
  '/figures': [84, (page) => page.getByRole('list', { name: 'All operations' })],
};

for (const [path, [most, complete]] of Object.entries(recorded)) {
  test(`${path} weighs what is recorded`, async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    let bytes = 0;
    const own = new Set();
    network.on('Network.responseReceived', ({ requestId, response }) => {
      const { pathname } = new URL(response.url);
      if (pathname === path || pathname.startsWith('/assets/')) own.add(requestId);
    });
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (own.has(requestId)) bytes += encodedDataLength;
    });
    await network.send('Network.enable');
    await page.goto(`${origin}${path}`);
    await complete(page).waitFor();
    await page.waitForLoadState('networkidle');
    const kilobytes = bytes / 1024;
    assert.ok(kilobytes <= most && kilobytes >= 0.9 * most, `${Math.ceil(kilobytes)} KB, not ${most}`);
    await context.close();
  });
}
