/** The figures while operations are answered. */
export const figures = {
  file: 'figures.png',
  viewport: { width: 1280, height: 640 },
  url: (gateway) => `${gateway}/figures`,
  async prepare(page, { gateway }) {
    const send = (query) =>
      fetch(`${gateway}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) });
    for (let second = 0; second < 5; second++) {
      await send('query Schema { __typename }');
      await send('query Users { a: user(id: "VXNlcjox") { name } b: user(id: "VXNlcjoy") { name followers(first: 10) { nodes { name } } } }');
      await page.waitForTimeout(1000);
    }
    await page.getByRole('row', { name: /^Users/ }).waitFor();
  },
};
