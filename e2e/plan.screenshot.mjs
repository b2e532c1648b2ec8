/** The playground after the first example was run, with a box that was clicked. */
export const plan = {
  file: 'plan.png',
  viewport: { width: 1280, height: 740 },
  url: (gateway) => `${gateway}/`,
  async prepare(page) {
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    await page.getByRole('button', { name: /^Execute query/ }).click();
    await page.locator('.plan-measured').first().waitFor();
    await page.locator('.plan-box', { hasText: 'items(first: 5)' }).getByRole('button').first().click();
    await page.locator('.plan-marked').first().waitFor();
  },
};
