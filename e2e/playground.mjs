// Opens the playground as a person does at the first visit.
import { watch } from './browser.mjs';
import { endpoint, origin } from './gateway.mjs';

/** A page of a browser with a storage of its own. Its faults are collected in faults. */
export async function visit(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 850 }, ...options });
  const page = await context.newPage();
  const faults = await watch(page, origin);
  const [plan] = await Promise.all([planned(page), page.goto(`${origin}/`)]);
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  return { page, faults, plan };
}

/** Waits for the next plan. */
export async function planned(page, matches = () => true) {
  const response = await page.waitForResponse((r) => r.url() === `${origin}/plan` && matches(r.request().postDataJSON()));
  return (await response.json()).plan;
}

/** Runs what is in the editor, and returns the response. */
export async function execute(page) {
  const isOperation = (r) => r.url() === endpoint && r.request().postDataJSON()?.operationName !== 'IntrospectionQuery';
  const [response] = await Promise.all([
    page.waitForResponse(isOperation),
    page.getByRole('button', { name: /^Execute query/ }).click(),
  ]);
  return { response, ...(await response.json()) };
}

/** Replaces the document in the editor, and returns its plan. */
export async function write(page, query) {
  await page.locator('.graphiql-query-editor textarea').first().focus();
  await page.keyboard.press('Control+A');
  // What is typed, the editor would complete, character by character.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.evaluate((text) => navigator.clipboard.writeText(text), query);
  const [plan] = await Promise.all([planned(page, (params) => params.query === query), page.keyboard.press('Control+V')]);
  return plan;
}

export const panel = (page) => page.getByRole('region', { name: 'Plan', exact: true });

/** The boxes of the picture with what a person sees in them. */
export const boxes = (page) =>
  page.locator('.plan-box').evaluateAll((elements) =>
    elements.map((element) => ({
      key: element.dataset.box,
      wave: element.closest('section').getAttribute('aria-label'),
      frame: element.closest('[role=group][aria-label]:not(.plan-scroll)')?.getAttribute('aria-label'),
      field: element.querySelector('.plan-field').textContent,
      kind: element.querySelector('.plan-kind').textContent,
      condition: element.querySelector('.plan-condition')?.textContent,
      worst: element.querySelector('.plan-units').textContent,
      isDearest: element.querySelector('.plan-dearest') !== null,
      measured: element.querySelector('.plan-measured')?.textContent,
    })),
  );
