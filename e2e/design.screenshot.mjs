/** The picture of the shop's table, with what the orders of a user read. */
export const design = {
  file: 'design.png',
  viewport: { width: 1280, height: 760 },
  url: (gateway) => `${gateway}/design#User.orders`,
  async prepare(page) {
    await page.locator('.item.read').first().waitFor();
    await page.locator('#picture').evaluate((heading) => heading.scrollIntoView());
  },
};
