// Looks for what keeps people from using a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations of WCAG that axe calls serious or critical, each with the element and what is wrong about it. */
export async function seriousViolations(page) {
  await page.evaluate(source); // a script of the page would violate its Content-Security-Policy
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary.replace(/\s+/g, ' ')}`));
  });
}
