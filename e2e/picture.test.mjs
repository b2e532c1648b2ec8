// The playground's picture of a plan.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { assertLooks, sameWidths } from './looks.mjs';
import { boxes, execute, panel, visit, write } from './playground.mjs';
import { newSku, newUser } from './shop.mjs';

let browser, page, faults, plan;

before(async () => {
  browser = await launch(sameWidths);
  ({ page, faults, plan } = await visit(browser));
});

after(() => browser.close());

const reads = (explained) => explained.waves.flatMap((wave, i) => wave.reads.map((read) => ({ ...read, wave: `Wave ${i + 1}` })));

const count = (n, one) => `${n} ${one}${n === 1 ? '' : 's'}`;

/** Waits until the panel's table has these numbers. */
async function totals(name, numbers) {
  await panel(page).getByRole('row', { name: [name, ...numbers].join(' '), exact: true }).waitFor();
}

/** What the editor marks, as text. */
const marked = async () => (await page.locator('.plan-marked').allTextContents()).join('').replaceAll('\u00a0', ' ');

test('the picture is open at the first visit, and has a box for each Read of the explanation', async () => {
  await page.locator('.plan-box').first().waitFor();
  const shown = await boxes(page);
  const wanted = reads(plan);
  assert.ok(plan.waves.length > 1, 'the first example has one wave');
  assert.deepEqual(
    shown.map(({ wave, field, condition }) => [wave, field, condition]).sort(),
    wanted.map(({ wave, field, condition }) => [wave, field, condition]).sort(),
  );
  for (const { id, kind, times, readUnits } of wanted) {
    const box = shown.find(({ key }) => key === `read-${id}`);
    assert.equal(box.kind, `${kind} × ${times}`);
    assert.equal(box.worst, `At worst ${count(times * readUnits, 'read unit')}`);
  }
  const headings = plan.waves.map(({ requests, readUnits }, i) => `Wave ${i + 1} ${count(requests, 'request')}, ${count(readUnits, 'read unit')}`);
  assert.deepEqual(await page.locator('.plan-wave h3').allTextContents(), headings);
  const [dearest] = wanted.toSorted((a, b) => b.times * b.readUnits - a.times * a.readUnits);
  assert.deepEqual(shown.filter((box) => box.isDearest).map(({ key }) => key), [`read-${dearest.id}`]);
  assert.equal(await page.locator('.plan-arrow').count(), wanted.flatMap(({ dependsOn = [] }) => dependsOn).length);
});

test('waves are columns from left to right, and arrows lead to boxes', async () => {
  const edges = await page.locator('.plan-wave').evaluateAll((all) => all.map((e) => e.getBoundingClientRect().left));
  assert.deepEqual(edges, edges.toSorted((a, b) => a - b));
  assert.ok(edges[1] - edges[0] > 190);
  const arrows = await page.locator('.plan-arrow').evaluateAll((all) => all.map((arrow) => arrow.getAttribute('d')));
  const ends = arrows.map((path) => path.match(/^M(-?[\d.]+) (-?[\d.]+)C.* (-?[\d.]+) (-?[\d.]+)m/).slice(1).map(Number));
  const places = await placesOfBoxes();
  for (const { id, dependsOn = [] } of reads(plan)) {
    for (const other of dependsOn) {
      const [from, to] = [places[`read-${other}`], places[`read-${id}`]];
      const leads = ([x1, y1, x2, y2]) => isAt(x1, from.right) && isBeside(y1, from) && isAt(x2, to.left) && isBeside(y2, to);
      assert.ok(ends.some(leads), `no arrow from ${JSON.stringify(from)} to ${JSON.stringify(to)}: ${arrows.join(', ')}`);
    }
  }
});

const isAt = (x, edge) => Math.abs(x - edge) < 3; // pixels
const isBeside = (y, { top, bottom }) => y > top && y < bottom;

/** Where each box is within the picture. */
const placesOfBoxes = () =>
  page.locator('.plan-canvas').evaluate((canvas) => {
    const origin = canvas.getBoundingClientRect();
    const place = ({ left, right, top, bottom }) => ({
      left: left - origin.left, right: right - origin.left, top: top - origin.top, bottom: bottom - origin.top,
    });
    return Object.fromEntries([...canvas.querySelectorAll('.plan-box')].map((box) => [box.dataset.box, place(box.getBoundingClientRect())]));
  });

test('a box whose key is known has a link to its items', async () => {
  assert.ok(reads(plan).some(({ key }) => key?.descending), 'the first example has no descending read');
  for (const { id, key } of reads(plan)) {
    const link = page.locator(`[data-box=read-${id}]`).getByRole('link', { name: 'Show in the table' });
    assert.equal(await link.count(), key ? 1 : 0);
    if (!key) continue;
    const address = new URL(await link.getAttribute('href'), page.url());
    assert.equal(address.pathname, '/table');
    const { descending, ...rest } = key;
    assert.deepEqual(Object.fromEntries(address.searchParams), descending ? { ...rest, order: 'DESC' } : rest);
  }
});

test('a click marks the field in the query, and so does Enter', async () => {
  const box = page.locator('.plan-box', { hasText: 'user.orders(first: 3).items(first: 5)' }).getByRole('button').first();
  await box.click();
  await page.locator('.plan-marked').first().waitFor();
  assert.equal(await marked(), 'items(first: 5)');
  await page.locator('.plan-box', { hasText: 'FOLLOWED_BY#' }).getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.plan-marked', { hasText: 'followers' }).first().waitFor();
  assert.equal(await marked(), 'followers(first: 3)');
});

test('the cursor in the editor highlights its box', async () => {
  await page.locator('.graphiql-query-editor .view-line', { hasText: 'quantity' }).click();
  const current = page.locator('.plan-box[aria-current]');
  await current.filter({ hasText: 'items(first: 5)' }).waitFor();
  assert.equal(await current.count(), 1);
});

test('of an id in a key, both ends are seen', async () => {
  const [{ condition }] = reads(plan).filter((read) => /USER#[0-9a-f]{8}-/.test(read.condition));
  const shown = page.getByTitle(condition, { exact: true }).locator('.plan-id').first();
  const { text, hidden } = await shown.evaluate((id) => ({
    text: id.textContent,
    hidden: id.querySelector('.plan-unseen').getBoundingClientRect().width,
  }));
  assert.ok(condition.includes(`USER#${text}`) && text.length === 36, text);
  assert.equal(hidden, 1);
});

test('no box of the first example is cut off on a small laptop', async () => {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: 720 });
  const cut = await page.locator('.plan-scroll').evaluate((element) => element.scrollWidth - element.clientWidth);
  await page.setViewportSize(size);
  assert.equal(cut, 0);
});

test('after a run, each box has what was measured', async () => {
  const at = ['waves', 'requests', 'readUnits', 'objects'];
  await totals('At worst', [plan.waves.length, plan.requests, plan.estimatedReadUnits, plan.estimatedObjects]);
  await totals('Last run', at.map(() => '–'));
  const { response, extensions } = await execute(page);
  assert.equal((await response.request().allHeaders())['partita-plan'], 'measured');
  await totals('Last run', at.map((name) => extensions.cost[name]));
  await page.locator('.plan-measured').first().waitFor();
  const { requests } = extensions.plan;
  assert.equal(sum(requests.map(({ readUnits }) => readUnits)), extensions.cost.readUnits);
  for (const { key, measured } of await boxes(page)) {
    const parts = requests.flatMap((request) => request.reads.filter(({ id }) => key === `read-${id}`));
    const units = sum(parts.map(({ readUnits }) => readUnits));
    assert.ok(measured.startsWith(`Measured ${units} read unit`), `${key}: ${measured}, not ${units}`);
    assert.match(measured, new RegExp(`, ${sum(parts.map(({ items }) => items))} items?, wave`));
  }
  const answer = await page.locator('.result-window .view-lines').textContent();
  assert.ok(!answer.includes('"plan"'), 'the measured values are in the picture');
});

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

test('the Gets of a wave are in the frame of their BatchGetItem', async () => {
  await write(page, '{ a: node(id: "VXNlcjox") { id ... on User { name } } b: order(id: "T3JkZXI6MQ") { status } viewer { name } }');
  await page.locator('.plan-box').nth(2).waitFor();
  assert.deepEqual((await boxes(page)).map(({ frame }) => frame), Array(3).fill('BatchGetItem'));
  const { extensions } = await execute(page);
  assert.equal(extensions.cost.requests, 1);
  await page.locator('.plan-measured').nth(2).waitFor();
  assert.deepEqual((await boxes(page)).map(({ measured }) => measured.startsWith('Measured 0.5 read units')), [true, true, true]);
});

test('fifty aliases are one box, until they are shown', async () => {
  const users = Array.from({ length: 50 }, (_, i) => `u${i}: user(id: "${Buffer.from(`User:${i}`).toString('base64url')}") { name }`);
  const explained = await write(page, `{ ${users.join(' ')} }`);
  assert.equal(reads(explained).length, 50);
  await page.getByText('Get × 50').waitFor();
  assert.deepEqual((await boxes(page)).map(({ worst }) => worst), ['At worst 25 read units']);
  await panel(page).getByRole('button', { name: 'Show all 50' }).click();
  await page.locator('.plan-box').nth(49).waitFor();
});

test('a box counts its shards', async () => {
  await write(page, '{ ordersByStatus(status: PAID, first: 1) { nodes { id } } }');
  await page.getByText('Query × 1, in 4 shards', { exact: true }).waitFor();
});

test('the writes of a mutation are in its box', async () => {
  const explained = await write(page, 'mutation { followUser(input: { followeeId: "VXNlcjox" }) { follow { follower { name } } } }');
  const [{ writes, writeUnits }] = reads(explained);
  const box = page.locator('.plan-box', { hasText: 'Create × 1' });
  await box.getByText(`${writeUnits} write units`).waitFor();
  const items = await box.getByRole('list', { name: 'Writes' }).getByRole('listitem').allTextContents();
  assert.equal(items.length, writes.length);
  for (const [i, { action, item, key, conditions = [] }] of writes.entries()) {
    for (const part of [action, item, key, ...conditions]) assert.ok(items[i].includes(part), `${part} is not in ${items[i]}`);
    assert.equal(items[i].split('if attribute_').length - 1, conditions.length, `the conditions in ${items[i]}`);
  }
  assert.ok(writes.some(({ conditions }) => conditions?.[0].startsWith('attribute_not_exists(PK)') || conditions?.[0].startsWith('(attribute_not_exists(PK)')));
});

test('what a hand-written mutation writes is in its box after its run', async () => {
  const { as } = await newUser(); // The orders of the demo are those of other tests.
  await page.route('**/graphql', (route) => route.continue({ headers: { ...route.request().headers(), ...as } }));
  const sku = newSku();
  const explained = await write(page, `mutation($idempotencyKey: String!) {
    placeOrder(input: { idempotencyKey: $idempotencyKey, currency: "EUR", lines: [
      { sku: "${sku}", name: "Tea", quantity: 1, price: 1 }, { sku: "${sku}", name: "Tea", quantity: 2, price: 1 }
    ] }) { userErrors { message } }
  }`);
  assert.deepEqual(reads(explained).map(({ kind, writes }) => [kind, writes]), [['Resolver', undefined]]);
  await execute(page);
  await page.unroute('**/graphql');
  const written = page.locator('.plan-box', { hasText: 'Resolver × 1' }).getByRole('list', { name: 'Written in the last run' });
  const texts = await written.getByRole('listitem').allTextContents();
  for (const [i, parts] of [
    ['Update User.orderCount', 'PK = USER#{id}, SK = USER#{id}', 'if attribute_exists(PK)'],
    ['Put Order', 'PK = ORDER#{id}, SK = ORDER#{id}', 'in GSI1', 'attribute_not_exists(PK)'],
    ['Put Order (copy)', 'PK = USER#{userId}, SK = ORDER#{createdAt}#{id}'],
    ['Put Item × 2', 'PK = ORDER#{orderId}, SK = ITEM#{line:04}'],
    ['Put OrderClaim', 'attribute_not_exists(PK)'],
  ].entries()) {
    for (const part of parts) assert.ok(texts[i]?.includes(part), `${part} is not in ${texts[i]}`);
  }
  assert.equal(texts.length, 5);
});

test('the picture looks as it is recorded', async () => {
  await write(page, '{ user(id: "VXNlcjox") { name orders(first: 3) { nodes { status items(first: 5) { nodes { quantity } } } } followers(first: 2) { nodes { name } } } }');
  await page.locator('.plan-box', { hasText: 'items(first: 5)' }).waitFor();
  await assertLooks(page.locator('.plan-canvas'), 'plan');
});

test('the panel asks which of several operations', async () => {
  await write(page, 'query A { __typename }\nquery B { __typename }');
  await panel(page).getByText('Nothing of the table is read.').waitFor();
  await totals('At worst', [0, 0, 0, 1]);
  const [request] = await Promise.all([
    page.waitForRequest((r) => r.url().endsWith('/plan') && r.postDataJSON().operationName === 'B'),
    panel(page).getByLabel('Operation').selectOption('B'),
  ]);
  assert.equal(request.method(), 'POST');
});

test('a field that is not read for its arguments is named, with what is missing', async () => {
  await write(page, '{ viewer { name orders { nodes { id } } } }');
  await panel(page).getByText('User.orders in line 1 is not read: give first or last, from 0 to 100').waitFor();
});

test('while an operation is incomplete, its last plan remains, with what is missing', async () => {
  await write(page, '{ viewer { name } }');
  await page.locator('.plan-box', { hasText: 'viewer' }).waitFor();
  await page.keyboard.press('Backspace');
  await panel(page).getByText('This is the plan of the last operation that was complete').waitFor();
  await panel(page).getByText('Syntax Error').or(panel(page).getByText('Expected Name, found <EOF>')).waitFor();
  assert.deepEqual((await boxes(page)).map(({ field }) => field), ['viewer']);
  assert.ok((await page.locator('.plan-outdated').evaluate((part) => Number(getComputedStyle(part).opacity))) < 1);
  await page.keyboard.type('}');
  await page.locator('.plan-outdated').waitFor({ state: 'detached' });
  await page.locator('.plan-box', { hasText: 'viewer' }).waitFor();
});

/** Visits the playground again in the same browser. */
async function again() {
  const next = await page.context().newPage();
  await next.goto(page.url());
  await next.getByRole('group', { name: 'Beside the editor' }).waitFor();
  return next;
}

test('the panes are moved by the keyboard, and keep their sizes', async () => {
  const width = async (on) => (await on.locator('#side').boundingBox()).width;
  const before = await width(page);
  await page.getByRole('separator', { name: 'Width of the editor' }).focus();
  await page.keyboard.press('ArrowLeft');
  const after = await width(page);
  assert.ok(after > before, `${after} after ${before}`);
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.includes('partita:columns')));
  const later = await width(await again());
  assert.ok(Math.abs(later - after) < 2, `${later} at the next visit, not ${after}`);
});

test('what is beside the editor remains at the next visit', async () => {
  const beside = (on) => on.getByRole('group', { name: 'Beside the editor' });
  await beside(page).getByRole('button', { name: 'History' }).click();
  await panel(page).waitFor({ state: 'detached' });
  await beside(await again()).getByRole('button', { name: 'History', pressed: true }).waitFor();
  await beside(page).getByRole('button', { name: 'Plan' }).click();
  await panel(page).waitFor();
});

test('nothing failed, and the Content-Security-Policy held', () => assert.deepEqual(faults, []));
