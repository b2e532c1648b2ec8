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
    await page.getByText('Highlighted').waitFor();
    const { pathname, searchParams } = new URL(page.url());
    searchParams.set('sk', 'ORDER#');
    await page.evaluate((to) => history.pushState(null, '', to), `${pathname}?${searchParams}`);
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
    const order = page.getByRole('list', { name: 'Items', exact: true }).getByRole('listitem').filter({ hasText: 'copy of Order' }).nth(1);
    await order.getByRole('button').click();
    await order.getByRole('table').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
};
