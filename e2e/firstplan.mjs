// Measures how long a first visitor of the playground waits for the first plan: from the navigation until it is on the
// screen. Each visit has an empty cache. Prints the median of five.
import { launch } from './browser.mjs';
import { startOwn } from './process.mjs';

const visits = 5;

const gateway = await startOwn();
const browser = await launch();
try {
  const all = [];
  for (let i = 0; i < visits; i++) all.push(await firstPlan());
  all.sort((a, b) => a - b);
  const [least, median, greatest] = [all[0], all[(visits - 1) / 2], all.at(-1)].map(Math.round);
  console.log(`the first plan: ${median} ms (${least} to ${greatest} in ${visits} visits)`);
} finally {
  await browser.close();
  await gateway.remove();
}

/** Milliseconds from the navigation until the frame with the first box of the plan was drawn. */
async function firstPlan() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(() => {
    window.firstPlan = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('.plan-box')) return;
        observer.disconnect();
        // The second frame begins when the first one, with the box, is drawn.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
      });
      observer.observe(document, { childList: true, subtree: true });
    });
  });
  const page = await context.newPage();
  await page.goto(gateway.url, { waitUntil: 'commit' });
  const milliseconds = await page.evaluate(() => window.firstPlan);
  await context.close();
  return milliseconds;
}
