// Signs in at an identity provider, as a visitor of the playground does.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { freePort, root, startOwn } from './process.mjs';
import { audience, clientId, startProvider } from './provider.mjs';

let provider, gateway, browser, page;

before(async () => {
  const address = `127.0.0.1:${await freePort()}`;
  provider = await startProvider(`http://${address}`);
  const settings = { JWT_ISSUER: provider.issuer, JWT_AUDIENCE: audience, PLAYGROUND_CLIENT_ID: clientId, MCP: `${root}e2e/agents` };
  gateway = await startOwn({ ADDR: address, ...settings }, ['serve']);
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ blockedURI }) => console.error(`policy: ${blockedURI}`));
  });
  page.on('console', (message) => violations.push(...(message.text().startsWith('policy: ') ? [message.text()] : [])));
});

const violations = [];

after(async () => {
  await browser?.close();
  await gateway?.remove();
  await provider?.stop();
});

const signedIn = () => page.getByRole('group', { name: 'Signed in' });
const sent = async () => {
  await page.locator('.graphiql-query-editor .view-line', { hasText: 'viewer' }).waitFor();
  const [request] = await Promise.all([
    page.waitForRequest((r) => r.url().endsWith('/graphql') && !r.postData().includes('IntrospectionQuery')),
    page.getByRole('button', { name: /^Execute query/ }).click(),
  ]);
  const response = await request.response();
  return { authorization: (await request.allHeaders()).authorization, status: response.status(), body: await response.json() };
};

test('a visitor signs in, sends operations as the subject of the token, and signs out', async () => {
  await page.goto(`${gateway.url}/?query=${encodeURIComponent('{ viewer { id } }')}`);
  await signedIn().getByText('anonymous').waitFor();
  await signedIn().getByRole('button', { name: 'Sign in' }).click();
  await page.getByPlaceholder('Enter any login').fill('ada');
  await page.getByPlaceholder('and password').fill('a password');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await signedIn().locator('.subject', { hasText: 'ada' }).waitFor();
  assert.equal(page.url(), `${gateway.url}/`, 'neither code nor state remain in the address');
  const { authorization, status, body } = await sent();
  const { sub, aud, iss } = JSON.parse(Buffer.from(authorization.split('.')[1], 'base64url'));
  assert.deepEqual({ sub, aud, iss, status }, { sub: 'ada', aud: audience, iss: provider.issuer, status: 200 });
  assert.deepEqual(body.data, { viewer: null }, JSON.stringify(body)); // the shop has no user of this id
  await signedIn().getByLabel('Send requests as').selectOption('anonymous');
  assert.equal((await sent()).authorization, undefined);
  await signedIn().getByRole('button', { name: 'Sign out' }).click();
  await signedIn().getByRole('button', { name: 'Sign in' }).waitFor();
  assert.equal((await sent()).authorization, undefined);

  await page.goto(`${gateway.url}/table`); // the provider still knows the visitor
  await signedIn().getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await signedIn().getByRole('button', { name: 'Sign out' }).waitFor();
  await signedIn().locator('.subject', { hasText: 'ada' }).waitFor();
  assert.equal(page.url(), `${gateway.url}/table`);
  await signedIn().getByRole('button', { name: 'Sign out' }).click();
  await signedIn().getByText('anonymous').waitFor();
  assert.deepEqual(violations, []);
});

test('an answer of the provider to another request is not accepted', async () => {
  await page.evaluate(() => sessionStorage.setItem('partita:signing-in', '{"state": "mine", "verifier": "v", "nonce": "n", "back": "/"}'));
  await page.goto(`${gateway.url}/?code=stolen&state=another`);
  await signedIn().getByRole('alert').getByText('You could not be signed in').waitFor();
  assert.equal(page.url(), `${gateway.url}/`);
  assert.equal(await page.evaluate(() => sessionStorage.getItem('partita:token')), null);
});

test('an agent without a token learns which provider issues them', async () => {
  const refused = await fetch(`${gateway.url}/mcp`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  assert.equal(refused.status, 401);
  const [, metadata] = refused.headers.get('www-authenticate').match(/resource_metadata="([^"]+)"/);
  const { resource, authorization_servers: servers } = await (await fetch(metadata)).json();
  assert.deepEqual({ resource, servers }, { resource: `${gateway.url}/mcp`, servers: [provider.issuer] });
});
