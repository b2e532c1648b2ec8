// Whether everybody can use the pages, in both colour schemes: by axe, and by the keyboard alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seriousViolations } from './axe.mjs';
import { launch } from './browser.mjs';
import { origin } from './gateway.mjs';
import { execute, visit } from './playground.mjs';

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing serious in the playground (${colorScheme})`, async () => {
    const { page } = await visit(browser, { colorScheme });
    await page.locator('.plan-box').first().waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await execute(page);
    await page.locator('.plan-measured').first().waitFor();
    await page.getByRole('button', { name: 'Variables' }).click();
    assert.deepEqual(await seriousViolations(page), []);
    for (const name of ['Documentation', 'History']) {
      await page.getByRole('button', { name, exact: true }).click();
      assert.deepEqual(await seriousViolations(page), [], name);
    }
    await page.context().close();
  });

  test(`axe finds nothing serious on the page of the table (${colorScheme})`, async () => {
    const page = await browser.newPage({ colorScheme });
    await page.goto(`${origin}/table`);
    await page.getByRole('navigation', { name: 'Partitions' }).getByRole('link').first().click();
    await page.getByRole('table', { name: 'Items', exact: true }).locator('> tbody').first().waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.close();
  });
}

test('the keyboard alone leads into the editor, and out of it', async () => {
  const { page } = await visit(browser);
  const focused = () => page.evaluate(() => document.activeElement.closest('[aria-label]')?.getAttribute('aria-label') ?? document.activeElement.textContent);
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to the operation');
  await page.keyboard.press('Enter');
  const presses = [];
  do {
    await page.keyboard.press('Tab');
    presses.push(await focused());
  } while (presses.at(-1) !== 'Operation' && presses.length < 10);
  assert.ok(presses.length < 10, presses.join(', '));
  await page.keyboard.press('Enter');
  await page.keyboard.type('#');
  await page.locator('.graphiql-query-editor .view-line', { hasText: /^##/ }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Editor content', 'Tab is written');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Variables');
  await page.context().close();
});

test('icons have the names of what they show', async () => {
  const { page } = await visit(browser);
  await page.getByRole('button', { name: 'Documentation' }).click();
  await page.getByRole('link', { name: 'Query', exact: true }).first().click();
  await page.locator('.graphiql-doc-explorer').getByRole('link', { name: 'userByEmail' }).waitFor();
  const titles = await page.locator('svg > title').allTextContents();
  assert.ok(titles.includes('play icon') && titles.includes('field icon'), titles.join(', '));
  assert.deepEqual(titles.filter((title) => /\b\w{1,2} icon/.test(title)), []);
  await page.context().close();
});
