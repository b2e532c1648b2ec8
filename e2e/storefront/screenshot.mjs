import { serve } from './serve.mjs';

const wide = { width: 1060, height: 720 };
const narrow = { width: 390, height: 720 };

/** Two pages of the storefront beside each other: a profile with its orders, and an order on a phone. */
export const storefront = {
  file: 'storefront.png',
  viewport: { width: wide.width + narrow.width + 3 * 32, height: wide.height + 2 * 32 },
  url: () => 'about:blank',
  async prepare(page, { gateway, browser }) {
    const shop = await serve({ gateway });
    try {
      const context = await browser.newContext({
        viewport: wide,
        locale: 'en',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      const profile = await context.newPage();
      await profile.goto(shop.url);
      await profile.getByRole('button', { name: 'Ada Lovelace' }).click();
      const order = profile.getByRole('list', { name: 'Orders' }).getByRole('link').nth(3);
      const address = await order.getAttribute('href');

      // On the phone it is evening.
      const state = await profile.evaluate(() => sessionStorage.getItem('session'));
      const phone = await (
        await browser.newContext({ viewport: narrow, colorScheme: 'dark', locale: 'en', timezoneId: 'UTC' })
      ).newPage();
      await phone.goto(shop.url);
      await phone.evaluate((session) => sessionStorage.setItem('session', session), state);
      await phone.goto(shop.url + address);
      await phone.getByRole('list', { name: 'Lines' }).waitFor();
      await phone.getByText('Live', { exact: true }).waitFor();

      await page.setContent(frames([await profile.screenshot(), await phone.screenshot()]));
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    } finally {
      await shop.close();
    }
  },
};

const frames = (pictures) => `
  <style>
    body { display: flex; gap: 32px; margin: 32px; background: #d9d4ca; }
    img { border-radius: 12px; box-shadow: 0 2px 3px #0002; }
  </style>
  ${pictures.map((picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`).join('')}`;
