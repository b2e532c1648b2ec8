// Looks at a table as a person does, in a real browser: the shop's, a small one with a damaged item, and those whose keys
// are Numbers.
import assert from 'node:assert/strict';
import { appendFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { seriousViolations } from './axe.mjs';
import { launch, watch } from './browser.mjs';
import { defaultQuery, origin, settings } from './gateway.mjs';
import { root, startOwn } from './process.mjs';

let dir, billing, browser, page, faults, user;

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'partita-table-'));
  await cp(join(root, 'examples/billing'), dir, { recursive: true });
  const damaged = { PK: { S: 'TENANT#globex' }, SK: { S: 'INVOICE#00000007' }, entityType: { S: 'Invoice' }, number: { S: 'seven' } };
  const unknown = { PK: { S: 'TENANT#globex' }, SK: { S: 'NOTE#<b>1</b>' }, entityType: { S: 'Note' }, tags: { SS: ['a', 'b'] } };
  await appendFile(join(dir, 'data.jsonl'), [damaged, unknown].map((item) => `${JSON.stringify({ Item: item })}\n`).join(''));
  billing = await startOwn({}, ['serve', dir]);
  [, user] = (await defaultQuery()).match(/"(VXNlcj[^"]*)"/);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await billing?.remove();
  await rm(dir, { recursive: true, force: true });
});

/** Opens a page, whose faults are collected. */
async function open(url, options = {}) {
  page = await browser.newPage({ viewport: { width: 1300, height: 900 }, ...options });
  faults = await watch(page, new URL(url).origin);
  await page.goto(url);
}

async function close() {
  assert.deepEqual(faults, []);
  await page.close();
}

const partitions = () => page.getByRole('navigation', { name: 'Partitions' });
const items = () => page.getByRole('table', { name: 'Items', exact: true }).locator('> tbody');
const item = (text) => items().filter({ hasText: text });
const heading = (text) => page.getByRole('heading', { level: 2, name: text });
const place = () => Object.fromEntries(new URL(page.url()).searchParams);

test('partitions are listed and opened, and keys are decoded', async () => {
  await open(`${billing.url}/table`);
  await partitions().getByRole('link', { name: 'TENANT#acme' }).click();
  await heading('PK TENANT#acme Tenant.id').waitFor();
  assert.deepEqual(place(), { pk: 'TENANT#acme' });
  await item('INVOICE#00000009').getByText('Invoice.number').waitFor();
  await page.getByText('6 items, ').waitFor();
  const counted = await page.getByRole('list', { name: 'Items by type' }).getByRole('listitem').allTextContents();
  assert.deepEqual(counted, ['BillingEvent 1', 'Invoice 2', 'Member 2', 'Tenant 1']);
  await page.goBack();
  await page.getByRole('heading', { name: 'Item collections' }).waitFor();
  await close();
});

test('the fields that read a collection are named, and select what they read', async () => {
  await open(`${billing.url}/table?pk=TENANT%23acme`);
  const access = page.locator('.access');
  await access.getByText('6 fields of the schema read this partition').click();
  await access.getByText('begins_with(SK, EVENT#)').waitFor();
  await access.getByRole('link', { name: 'Tenant.invoices' }).click();
  await page.getByText('5 items from INVOICE#,').waitFor();
  assert.equal(await items().and(page.locator('[data-wanted]')).count(), 2);
  assert.deepEqual(place(), { pk: 'TENANT#acme', sk: 'INVOICE#' });
  assert.equal(await items().count(), 5);
  await close();
});

test('links lead to an entry of an index, back to its item, and to the object that an id names', async () => {
  await open(`${billing.url}/table?pk=TENANT%23acme&sk=INVOICE%2300000010`);
  await item('INVOICE#00000010').getByRole('button', { expanded: false }).click();
  await item('INVOICE#00000010').getByRole('link', { name: 'entry in GSI1' }).click();
  await heading('GSI1PK of GSI1 INVOICES#OPEN Invoice.status#1').waitFor();
  assert.equal(place().index, 'GSI1');
  const entry = items().and(page.locator('[data-wanted]'));
  await entry.getByRole('link', { name: 'PK TENANT#acme, SK INVOICE#00000010' }).click();
  await heading('PK TENANT#acme Tenant.id').waitFor();
  await item('INVOICE#00000010').getByRole('button', { expanded: false }).click();
  await item('INVOICE#00000010').getByRole('row', { name: /^tenantId/ }).getByRole('link').click();
  assert.deepEqual(place(), { pk: 'TENANT#acme', sk: 'TENANT#acme' });
  await items().and(page.locator('[data-wanted]')).getByRole('button', { name: /Tenant/ }).click();
  await page.getByRole('region', { name: 'Referred to by' }).getByRole('link', { name: 'Member.tenantId' }).click();
  await page.getByText('from MEMBER#,').waitFor();
  await close();
});

test('a damaged item and one of no type are marked, and values are text', async () => {
  await open(`${billing.url}/table?pk=TENANT%23globex`);
  await item('INVOICE#00000007').getByText('ITEM_INVALID').waitFor();
  assert.equal(await item('INVOICE#00000001').getByText('damaged').count(), 0);
  const unknown = item('NOTE#<b>1</b>');
  await unknown.getByText('"Note" is no type of the schema').waitFor();
  await unknown.getByRole('button').click();
  await unknown.getByRole('row', { name: /^tags SS/ }).waitFor();
  await close();
});

/** Serves a table of another program while a test looks at it. */
async function serving(name, look) {
  const folder = await mkdtemp(join(tmpdir(), 'partita-table-'));
  const from = join(root, 'internal/gen/testdata/foreign', name);
  for (const file of ['schema.graphqls', 'data.jsonl']) await cp(join(from, file), join(folder, file));
  const own = await startOwn({}, ['serve', folder]);
  try {
    await look(own.url);
  } finally {
    await own.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

test('a Number in the key is shown as a number, and looked for as a whole', () =>
  serving('films', async (url) => {
    await open(`${url}/table`);
    await partitions().getByRole('link', { name: '2013' }).click();
    await heading('year 2013 Film.year').waitFor();
    assert.deepEqual(place(), { pk: '2013' });
    await open(`${url}/table?index=RatingIndex&pk=2013&sk=0.5`);
    await page.getByText('from 0.5,').waitFor();
    const entry = items().and(page.locator('[data-wanted]'));
    assert.equal(await entry.count(), 2);
    await entry.getByRole('link', { name: 'year 2013, title bob 0 (1)' }).click();
    await page.getByText('from bob 0 (1),').waitFor();
    assert.deepEqual(place(), { pk: '2013', sk: 'bob 0 (1)' });
    await item('bob 0 (1)').and(page.locator('[data-wanted]')).waitFor();
    await close();
  }));

test('a table without a sort key has one item in each partition', () =>
  serving('products', async (url) => {
    await open(`${url}/table?index=PriceIndex&pk=Book&sk=5`);
    const entry = items().and(page.locator('[data-wanted]'));
    await entry.getByRole('link', { name: 'Id 103', exact: true }).click();
    await heading('Id 103 Book.productId').waitFor();
    assert.deepEqual(place(), { pk: '103' });
    await page.getByText('1 item, ').waitFor();
    assert.equal(await items().count(), 1);
    await close();
  }));

test('the collections of an index are listed', async () => {
  await open(`${billing.url}/table`);
  await page.getByLabel('Collections of').selectOption('GSI1');
  await partitions().getByRole('link', { name: /^INVOICES#PAID/ }).first().click();
  await heading(/GSI1PK of GSI1 INVOICES#PAID/).waitFor();
  await close();
});

test('partitions with objects come before those of claims', async () => {
  await open(`${origin}/table`);
  // Claims are shown while the page reads on.
  await partitions().getByRole('link').filter({ hasNot: page.locator('.type-other') }).first().waitFor();
  const isClaim = await partitions().getByRole('link').evaluateAll((links) => links.map((link) => link.querySelector('.type-other') !== null));
  assert.ok(isClaim.includes(true) && isClaim.includes(false));
  assert.deepEqual(isClaim, isClaim.toSorted(), 'a claim comes before an object');
  await close();
});

test('a type that is chosen while partitions are read is searched for', async () => {
  await open(`${origin}/table`);
  await page.getByRole('list', { name: 'Partitions with items of a type' }).getByRole('button', { name: /^User/ }).click();
  await partitions().getByRole('link', { name: /^USER#/ }).first().waitFor();
  await close();
});

test('a collection in shards has links to the others', async () => {
  await open(`${billing.url}/table?index=GSI1&pk=INVOICES%23OPEN%230`);
  const shards = page.getByRole('navigation', { name: 'Shards' });
  await shards.getByText('One of 4 shards').waitFor();
  assert.equal(await shards.getByRole('link', { name: 'INVOICES#OPEN#0' }).getAttribute('aria-current'), 'page');
  await shards.getByRole('link', { name: 'INVOICES#OPEN#3' }).click();
  await heading('GSI1PK of GSI1 INVOICES#OPEN Invoice.status#3').waitFor();
  assert.deepEqual(place(), { index: 'GSI1', pk: 'INVOICES#OPEN#3' });
  await close();
});

test('questions are from the identity that is chosen in the playground', async () => {
  await open(`${origin}/`);
  await page.getByLabel('Send requests as').selectOption('staff');
  const [request] = await Promise.all([
    page.waitForRequest(`${origin}/table/design`),
    page.getByRole('link', { name: 'Table', exact: true }).click(),
  ]);
  const { identities } = await settings();
  const subject = (authorization) => JSON.parse(Buffer.from(authorization.split('.')[1], 'base64url')).sub;
  const staff = identities.find(({ name }) => name === 'staff').headers.Authorization;
  assert.equal(subject((await request.allHeaders()).authorization), subject(staff));
  await partitions().getByRole('link').first().waitFor();
  await page.close();
});

test('questions are from the identity that is chosen here, and the page names its tenant', async () => {
  const own = await startOwn({ TENANT_CLAIM: 'org', PLAYGROUND_VIEWER: 'me,ADMIN' }, ['serve', join(root, 'examples/billing')]);
  try {
    await open(`${own.url}/table`);
    const signedIn = page.getByRole('group', { name: 'Signed in' });
    await signedIn.getByText('tenant demo').waitFor();
    const chosen = page.getByLabel('Send requests as');
    const names = await chosen.locator('option').allTextContents();
    const [request] = await Promise.all([page.waitForRequest(`${own.url}/table/design`), chosen.selectOption(names.at(-1))]);
    await signedIn.locator('.claims', { hasText: /^anonymous$/ }).waitFor();
    assert.equal((await request.allHeaders()).authorization, undefined);
    await page.getByRole('alert').getByText(/token/i).first().waitFor();
    const again = page.waitForRequest(`${own.url}/table/design`);
    await chosen.selectOption(names[0]);
    assert.match((await (await again).allHeaders()).authorization, /^Bearer /);
    await partitions().getByRole('link', { name: 'TENANT#acme' }).waitFor();
    await page.close();
  } finally {
    await own.remove();
  }
});

test('what cannot be found is explained', async () => {
  await open(`${origin}/table?index=GSI9&pk=USER%231`);
  await page.getByRole('alert').getByText('The schema has no index of this name.').waitFor();
  await page.getByLabel('Collections of').selectOption('GSI1');
  await page.getByRole('heading', { name: 'Item collections' }).waitFor();
  await page.getByRole('alert').getByText('The schema').waitFor({ state: 'detached' });
  await close();
});

test('an object is found by its id, and its copies lead to the others', async () => {
  await open(`${origin}/table`);
  const search = page.getByRole('searchbox', { name: 'Partition key, global id or value' });
  await search.fill(user);
  await search.press('Enter');
  await heading(/^PK USER#.* User\.id$/).waitFor();
  await items().and(page.locator('[data-wanted]')).getByRole('button', { name: /^User/ }).click();
  await page.getByRole('region', { name: 'Its fields read' }).getByRole('link', { name: 'User.orders' }).click();
  await item('copy of Order').first().getByRole('button').click();
  await page.getByRole('region', { name: 'Stored as' }).getByRole('link', { name: 'base item' }).click();
  await heading(/^PK ORDER#.* Order\.id$/).waitFor();
  await page.getByRole('link', { name: 'From the beginning' }).click();
  await item('ITEM#0001').first().waitFor();
  await close();
});

test('a value is found by the access patterns of the schema, and it is said by which and at what cost', async () => {
  await open(`${origin}/table`);
  const search = page.getByRole('searchbox');
  const said = page.getByRole('status', { name: 'Search' });
  await search.fill('ada@example.com');
  await search.press('Enter');
  await said.getByText(/^Found by Query\.userByEmail \(GSI1PK = EMAIL#ada@example\.com, begins_with\(GSI1SK, USER#\)\), with \d Queries and [\d.]+ read units\.$/).waitFor();
  await items().first().getByText('Ada Lovelace').first().waitFor();
  await search.fill('nobody@example.com');
  await search.press('Enter');
  await said.getByText(/^Not found by .*Query\.userByEmail, .*User\.email.* This is the partition key\.$/).waitFor();
  await close();
});

test('a box of the plan leads to what it reads, and the page back to the playground', async () => {
  await open(`${origin}/`);
  const link = page.getByRole('link', { name: 'Show in the table' }).first();
  await link.waitFor();
  const to = new URL(await link.getAttribute('href'), origin);
  await link.click();
  await heading(to.searchParams.get('pk')).waitFor();
  const wanted = items().and(page.locator('[data-wanted]'));
  await wanted.first().waitFor();
  assert.ok((await wanted.first().innerText()).includes(to.searchParams.get('sk')));
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByRole('link', { name: 'Table', exact: true }).waitFor();
  await page.close();
});

/** The questions about items that the page has asked, with what each has consumed. */
function reading() {
  const reads = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith('/table/items')) return;
    const { readUnits } = await response.json();
    const asked = Object.entries(response.request().postDataJSON()).filter(([name, value]) => value && name !== 'after');
    reads.push({ ...Object.fromEntries(asked), readUnits });
  });
  return reads;
}

test('the object of a partition comes first, and a type, a sort key and the end are one Query away', async () => {
  await open(`${origin}/table`);
  const reads = reading();
  const search = page.getByRole('searchbox');
  await search.fill(user);
  await search.press('Enter');
  await heading(/^PK USER#.* User\.id$/).waitFor();
  const { pk } = place();
  await page.goto(`${origin}/table?pk=${encodeURIComponent(pk)}`);
  await page.getByText('51 items so far').waitFor();
  await page.getByText('2 Queries have consumed').waitFor();
  await items().first().getByText('object of the partition').waitFor();
  await items().first().getByRole('button', { name: 'User', exact: false }).waitFor();
  await page.getByRole('button', { name: 'More items' }).click();
  await page.getByText('101 items so far').waitFor();
  await items().nth(100).scrollIntoViewIfNeeded();
  assert.ok(await page.getByRole('heading', { level: 2 }).last().isVisible());
  assert.ok(await heading(/^PK USER#/).evaluate((e) => e.getBoundingClientRect().top >= 0), 'the head scrolls away');

  reads.length = 0;
  await page.getByRole('list', { name: 'Items by type' }).getByRole('link', { name: 'copy of Order' }).click();
  await page.getByText('47 items, ').waitFor();
  assert.deepEqual(reads, [{ pk, within: 'ORDER#', readUnits: 2 }]);
  const columns = await page.getByRole('table', { name: 'Items', exact: true }).locator('> thead th').allTextContents();
  assert.deepEqual(columns, ['Item', 'SK', 'status', 'total', 'itemCount', 'version', 'id', 'userId', 'createdAt', 'Size']);
  const oldest = await items().first().locator('.item-key').innerText();

  reads.length = 0;
  await page.getByRole('link', { name: 'From the end' }).click();
  await page.locator('a[aria-current=true]', { hasText: 'From the end' }).waitFor();
  await items().last().filter({ hasText: oldest }).waitFor();
  assert.deepEqual(reads, [{ pk, within: 'ORDER#', order: 'DESC', readUnits: 2 }]);
  assert.deepEqual(place(), { pk, sk: 'ORDER#', order: 'DESC', only: 'copy of Order' });

  await page.goto(`${origin}/table?pk=${encodeURIComponent(pk)}`);
  await page.getByText('51 items so far').waitFor();
  reads.length = 0;
  await page.getByLabel('SK', { exact: true }).fill('USER#');
  await page.getByRole('button', { name: 'Go to' }).click();
  await page.getByText('1 item from USER#').waitFor();
  assert.deepEqual(reads, [{ pk, from: 'USER#', readUnits: 0.5 }]);
  // Going to another address ends what is still asked.
  assert.ok(faults.every((fault) => fault.includes('ERR_ABORTED')), faults.join('\n'));
  await page.close();
});

/** The text of the file that a button makes. */
async function exported(name) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('group', { name: 'Export' }).getByRole('button', { name }).click()]);
  return readFile(await download.path(), 'utf8');
}

test('what is shown is exported as it is stored, without a further request', async () => {
  const stored = (await readFile(join(dir, 'data.jsonl'), 'utf8')).trim().split('\n').map((line) => JSON.parse(line));
  const parsed = (text) => text.trim().split('\n').map((line) => JSON.parse(line));
  const of = (pk) => stored.filter(({ Item }) => Item.PK.S === pk);
  const bySK = (a, b) => (a.Item.SK.S < b.Item.SK.S ? -1 : 1);
  await open(`${billing.url}/table?pk=TENANT%23globex`);
  await items().first().waitFor();
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  assert.deepEqual(parsed(await exported('JSON lines')).sort(bySK), of('TENANT#globex').sort(bySK));
  assert.deepEqual(requests.filter((url) => !url.startsWith('blob:') && !url.endsWith('/healthz')), []);
  await page.getByRole('link', { name: 'Invoice' }).first().click();
  await page.getByText('2 items, ').waitFor();
  const lines = (await exported('CSV')).split('\r\n');
  assert.equal(lines[0], 'PK,SK,entityType,GSI1PK,GSI1SK,tenantId,number,status,dueOn,total,version');
  assert.match(lines[1], /^TENANT#globex,INVOICE#00000001,Invoice,INVOICES#OPEN#2,/);
  assert.equal(lines.length, 4);
  await page.close();
});

test('an item is changed by a mutation of the schema, after its plan was seen', async () => {
  const own = await startOwn({ PLAYGROUND_VIEWER: 'me,STAFF' }, ['serve', join(root, 'examples/billing')]);
  try {
    await open(`${own.url}/table?pk=TENANT%23acme`);
    const row = item('INVOICE#00000010');
    await row.getByRole('button', { expanded: false }).click();
    const change = row.getByRole('region', { name: 'Change by mutations' });
    await change.getByRole('button', { name: 'createInvoice', exact: true }).waitFor();
    assert.equal(await change.getByRole('button', { name: /Member/ }).count(), 0);
    const sent = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
    await change.getByRole('button', { name: 'updateInvoice', exact: true }).click();
    const variables = change.getByLabel('Variables of updateInvoice');
    const { input } = JSON.parse(await variables.inputValue());
    const { id, status, total, version } = input;
    assert.deepEqual({ status, total, version }, { status: 'OPEN', total: 1000, version: 1 });
    assert.equal(Buffer.from(id, 'base64url').toString(), 'Invoice:acme:10');
    await variables.fill(JSON.stringify({ input: { ...input, status: 'PAID' } }));
    const plan = change.getByRole('status', { name: 'Plan' });
    await plan.getByText(/^Update Invoice, \d+ write units PK = TENANT#\{tenantId\}, SK = INVOICE#\{number:08\} in GSI1$/).waitFor();
    await plan.getByText(/At worst \d+ requests?, [\d.]+ read units? and \d+ write units, for 1 item in one transaction:/).waitFor();
    const send = change.getByRole('button', { name: 'Send updateInvoice' });
    await send.and(page.locator(':enabled')).waitFor();
    assert.ok(!sent.includes('/graphql'), 'a mutation is sent before its plan is seen');
    await send.click();
    await change.getByRole('status', { name: 'Answer' }).getByText('"status": "PAID"').waitFor();
    await page.getByRole('status', { name: 'Changed' }).getByText('updateInvoice was carried out').waitFor();
    await row.getByRole('row', { name: /^status S PAID/ }).waitFor();
    assert.equal(sent.filter((path) => path === '/graphql').length, 1);

    // The version is outdated now.
    await variables.fill(JSON.stringify({ input: { ...input, status: 'OPEN' } }));
    await send.and(page.locator(':enabled')).waitFor();
    const reads = sent.filter((path) => path === '/table/items').length;
    await send.click();
    await change.getByRole('status', { name: 'Answer' }).getByText('"code": "CONFLICT"').waitFor();
    assert.equal(sent.filter((path) => path === '/table/items').length, reads);
    await variables.fill('{');
    await plan.getByText('The variables are not JSON').waitFor();
    assert.ok(await send.isDisabled());

    // The item itself, on the local engine: what a change breaks is shown before it is made.
    const raw = row.getByRole('region', { name: 'The item itself' });
    const itself = page.getByLabel('The item as DynamoDB JSON');
    const checked = page.getByRole('status', { name: 'Check' });
    const changed = page.getByRole('status', { name: 'Changed' });
    const sees = (shown) => row.getByRole('row', { name: shown }).waitFor();
    await raw.getByRole('button', { name: 'Edit as DynamoDB JSON' }).click();
    const stored = JSON.parse(await itself.inputValue());
    assert.deepEqual(stored.status, { S: 'PAID' });
    await itself.fill('{');
    await raw.getByRole('button', { name: 'Write the item' }).click();
    await checked.getByText('The item is not JSON').waitFor();
    await itself.fill(JSON.stringify({ ...stored, status: { S: 'OPEN' } }));
    await raw.getByRole('button', { name: 'Write the item' }).click();
    await checked.getByText('INDEX_ENTRY_WRONG').waitFor();
    await sees(/^status S PAID/);
    await raw.getByRole('button', { name: 'Write the item all the same' }).click();
    await changed.getByText('The item was written').waitFor();
    await changed.getByText('`table repair` does: make them anew').waitFor();
    await sees(/^status S OPEN/);
    await itself.fill(JSON.stringify(stored));
    await raw.getByRole('button', { name: 'Write the item' }).click();
    await changed.getByText('Around it, all is as the schema says.').waitFor();
    await sees(/^status S PAID/);
    await raw.getByRole('button', { name: 'Edit as DynamoDB JSON' }).click();

    await page.getByRole('button', { name: 'Add an item' }).click();
    assert.deepEqual(JSON.parse(await itself.inputValue()), { PK: { S: 'TENANT#acme' }, SK: { S: '' } });
    const member = { PK: { S: 'TENANT#acme' }, SK: { S: 'MEMBER#zoe@acme.example' }, entityType: { S: 'Member' } };
    await itself.fill(JSON.stringify(member));
    await page.getByRole('button', { name: 'Write the item' }).click();
    await checked.getByText('ITEM_INVALID').waitFor();
    const whole = { ...member, tenantId: { S: 'acme' }, email: { S: 'zoe@acme.example' }, role: { S: 'USER' } };
    await itself.fill(JSON.stringify({ ...whole, GSI1PK: { S: 'TENANT#acme' }, GSI1SK: { S: 'ROLE#USER#zoe@acme.example' } }));
    await page.getByRole('button', { name: 'Write the item' }).click();
    await page.getByRole('button', { name: 'Add an item' }).click();
    const zoe = item('MEMBER#zoe@acme.example');
    await zoe.getByRole('button', { expanded: false }).first().click();
    await zoe.getByRole('button', { name: 'Edit as DynamoDB JSON' }).click();
    await zoe.getByRole('button', { name: 'Delete the item' }).click();
    await changed.getByText('The item was deleted').waitFor();
    await zoe.waitFor({ state: 'detached' });
    assert.deepEqual(await seriousViolations(page), []);
    await close();
  } finally {
    await own.remove();
  }
});

test('a descending read of the plan leads to the newest items', async () => {
  const query = `{ user(id: "${user}") { orders(first: 2) { nodes { createdAt } } } }`;
  await open(`${origin}/?query=${encodeURIComponent(query)}`);
  await page.locator('a[href*="order=DESC"]', { hasText: 'Show in the table' }).click();
  await page.getByText('from ORDER# downwards').waitFor();
  const first = items().and(page.locator('[data-wanted]')).first();
  await first.waitFor();
  const newest = await first.locator('.item-key').innerText();
  await page.getByRole('list', { name: 'Items by type' }).getByRole('link', { name: 'copy of Order' }).click();
  await page.getByRole('link', { name: 'From the end' }).click();
  await items().first().filter({ hasText: newest }).waitFor();
  assert.equal(await items().count(), 47);
  await page.close();
});

for (const colorScheme of ['light', 'dark']) {
  test(`at 390 px in ${colorScheme} colours nothing is cut off, and the keyboard reaches everything`, async () => {
    await open(`${billing.url}/table?pk=TENANT%23acme`, { viewport: { width: 390, height: 844 }, colorScheme });
    await items().first().waitFor();
    const expand = items().nth(1).getByRole('button');
    await expand.focus();
    await page.keyboard.press('Enter');
    await items().nth(1).getByRole('table').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'A');
    assert.deepEqual(await lowContrast(), []);
    assert.deepEqual(await seriousViolations(page), []);
    await close();
  });
}

/** The texts whose contrast is below 4.5, and it. https://www.w3.org/TR/WCAG22/#contrast-minimum */
const lowContrast = () =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => {
      const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const behind = (element) => {
      for (let e = element; e; e = e.parentElement) {
        const colour = rgb(getComputedStyle(e).backgroundColor);
        if (colour[3] === 255) return colour;
      }
      return [255, 255, 255, 255];
    };
    const texts = [...document.querySelectorAll('body *')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && e.checkVisibility());
    return texts.flatMap((e) => {
      const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      return contrast < 4.5 ? [`${contrast.toFixed(2)} ${e.tagName}.${e.className} ${e.textContent.slice(0, 40)}`] : [];
    });
  });

test('the absence of the gateway is shown, and ends by itself', async () => {
  const own = await startOwn({}, ['serve', join(root, 'examples/billing')]);
  try {
    await open(`${own.url}/table`);
    const absence = page.getByRole('status', { name: 'Gateway' });
    await partitions().getByRole('link', { name: 'TENANT#acme' }).waitFor();
    await own.stop();
    await absence.getByText('The gateway does not answer.').waitFor(); // also if nobody touches the page
    await partitions().getByRole('link', { name: 'TENANT#acme' }).click();
    await heading('PK TENANT#acme').waitFor();
    assert.equal(await page.getByRole('alert').innerText(), '');
    await own.start();
    await item('INVOICE#00000009').waitFor();
    assert.equal(await absence.innerText(), '');
    assert.ok(faults.every((fault) => /ERR_/.test(fault)), faults.join('\n'));
    await page.close();
  } finally {
    await own.remove();
  }
});

test('a viewer without the role is asked for a token', async () => {
  await open(`${billing.url}/table`, { extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.1' } });
  await page.getByRole('alert').getByText('viewers with the role ADMIN only').waitFor();
  await page.getByLabel(/^Token of a viewer/).waitFor();
  assert.equal(await partitions().count(), 0);
  assert.ok(faults.every((fault) => /^401|status of 401/.test(fault)), faults.join('\n'));
  await page.close();
});
