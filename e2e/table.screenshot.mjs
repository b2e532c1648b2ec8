/** A user's item collection, with an order that is open. */
export const table = {
  file: 'table.png',
  viewport: { width: 1080, height: 700 },
  url: (gateway) => `${gateway}/table`,
  async prepare(page) {
    const settings = JSON.parse(await page.locator('#settings').textContent());
    const [, id] = settings.tabs[0].query.match(/"(VXNlcj[^"]*)"/);
    await page.getByRole('button', { name: 'User' }).click();
    await page.getByRole('navigation').getByText('USER#').first().waitFor();
    await page.getByRole('searchbox').fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'copy of Order' }).click();
    await page.getByText('47 items, ').waitFor();
    const order = page.getByRole('table', { name: 'Items', exact: true }).locator('> tbody').nth(1);
    await order.getByRole('button').click();
    await order.getByRole('table').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
};
