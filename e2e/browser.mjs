import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** Finds the Chromium that is installed on this machine: $CHROMIUM, or one on the PATH; scripts/browser.sh has why in this order. */
function executablePath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
  const candidates = names.flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)));
  const found = candidates.find(isExecutable);
  if (!found) throw new Error('Chromium is missing: install it, or set CHROMIUM to its path');
  return found;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const patience = 120_000; // milliseconds, because a busy machine may take a minute for a page

/** Starts Chromium, with further command-line arguments. */
export async function launch(...more) {
  const browser = await chromium.launch({
    timeout: patience,
    executablePath: executablePath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(patience);
    return context;
  };
  return browser;
}

/**
 * Collects what a page must not do: ask a host that is not among the origins, fail to load something, write an error to the
 * console, violate its Content-Security-Policy. Await it before the page is opened.
 */
export async function watch(page, ...origins) {
  const faults = [];
  await page.exposeFunction('reportViolation', (violation) => faults.push(`policy: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
      window.reportViolation(`${effectiveDirective} blocked ${blockedURI} at ${sourceFile}:${lineNumber} ${sample}`);
    });
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!origins.some((origin) => url.startsWith(`${origin}/`)) && !url.startsWith('data:') && !url.startsWith('blob:')) {
      faults.push(`request to ${url}`);
    }
  });
  page.on('requestfailed', (request) => {
    // A page asks for the health of the gateway now and then, also when it is left.
    if (request.url().endsWith('/healthz') && request.failure()?.errorText === 'net::ERR_ABORTED') return;
    faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text().slice(0, 300)}`);
  });
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  return faults;
}
