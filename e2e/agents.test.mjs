// Agents call operations as tools: by the official SDK and by the official inspector, over HTTP and over stdin and stdout.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { getIntrospectionQuery, parse, print } from 'graphql';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { seriousViolations } from './axe.mjs';
import { launch, watch } from './browser.mjs';
import { root, startOwn } from './process.mjs';
import { line, newSku, newUser, staff } from './shop.mjs';

const MCP = join(root, 'e2e', 'agents');
const inspector = join(root, 'e2e', 'node_modules', '.bin', 'mcp-inspector');

let gateway, admin, data;
const clients = [];

before(async () => {
  gateway = await startOwn({ MCP });
  admin = await staff();
  data = await mkdtemp(join(tmpdir(), 'partita-agents-'));
});

after(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await gateway?.remove();
  await rm(data, { recursive: true, force: true });
});

/** A client over HTTP with a session of its own, with the headers of a caller. */
async function connect(headers = {}) {
  const client = new Client({ name: 'e2e', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

const call = (client, name, args = {}) => client.callTool({ name, arguments: args });
const text = (result) => result.content.map((part) => part.text).join('\n');

/** Runs the inspector on the gateway, or on a command. */
async function inspect(args, target = [`${gateway.url}/mcp`, '--transport', 'http']) {
  const options = { maxBuffer: 1 << 24, timeout: 120_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [inspector, '--cli', ...target, ...args], options);
  return JSON.parse(stdout);
}

test('the tools are what the folder allows, each with its price', async () => {
  const { tools } = await (await connect()).listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [
    'Customer', 'Order', 'OrderChanges', 'OrdersByStatus', 'PlaceOrder', 'Viewer', 'price', 'query', 'search_schema',
  ]);
  const orders = tools.find(({ name }) => name === 'OrdersByStatus');
  assert.match(orders.description, /^The orders in a state, oldest first\. .*\nCosts at most [\d.]+ read units and \d+ objects/);
  assert.equal(orders.inputSchema.properties.first.description.startsWith('How many'), true);
  assert.deepEqual(orders.inputSchema.required, ['status']);
  assert.deepEqual(orders.annotations.readOnlyHint, true);
  assert.equal(tools.find(({ name }) => name === 'PlaceOrder').annotations.readOnlyHint, false);
});

test('an agent pages through 500 orders within its budget', async () => {
  const client = await connect(admin);
  const seen = new Set();
  let args = { status: 'DELIVERED', first: 50 };
  let spent = 0;
  while (seen.size < 500) {
    const result = await call(client, 'OrdersByStatus', args);
    assert.equal(result.isError ?? false, false, text(result));
    const { data, receipt, session, more } = result.structuredContent;
    for (const { id } of data.ordersByStatus.nodes) seen.add(id);
    spent += receipt.readUnits;
    assert.equal(session.units, 1500 - spent);
    assert.match(text(result), /^The next part is data.*for the next page call OrdersByStatus again.*Charged: [\d.]+ read units?/s);
    assert.equal(more[0].argument, 'after');
    args = { ...args, after: more[0].cursor };
  }
  assert.equal(seen.size, 500);
});

test('an agent in a loop ends at the budget of its session', async () => {
  const client = await connect(admin);
  let result, calls = 0;
  do {
    result = await call(client, 'OrdersByStatus', { status: 'DELIVERED', first: 50 });
    calls++;
  } while (!result.isError && calls < 100);
  assert.match(text(result), /^SESSION_BUDGET: The call may take up to .* of this session .* are left\./);
  assert.ok(calls > 10, `${calls} calls`);
  const price = await call(client, 'price', { tool: 'OrdersByStatus', arguments: { status: 'DELIVERED' } });
  assert.match(text(price), /^The call costs at most .* It was not carried out\./);
});

test('the rights are those of the caller', async () => {
  const anonymous = await connect();
  assert.match(text(await call(anonymous, 'OrdersByStatus', { status: 'DELIVERED' })), /^FORBIDDEN|\nFORBIDDEN/);
  const user = await newUser({ url: `${gateway.url}/graphql` });
  const client = await connect(user.as);
  assert.equal((await call(client, 'Viewer')).structuredContent.data.viewer.id, user.id);
  const input = { idempotencyKey: newSku(), currency: 'EUR', lines: [line(newSku())] };
  const placed = await call(client, 'PlaceOrder', { input });
  assert.ok(placed.structuredContent.data.placeOrder.order.id, text(placed));
  assert.ok(placed.structuredContent.receipt.writeUnits > 0);
  await assert.rejects(call(client, 'DeleteUser', { input: {} }), /unknown tool/);
  await assert.rejects(connect({ authorization: 'Bearer nonsense' }), /401|not a JSON Web Token/);
});

test('wrong and large calls are results with advice', async () => {
  const client = await connect(admin);
  for (const [name, args, want] of [
    ['OrdersByStatus', { status: 'LOST' }, /BAD_USER_INPUT: .*enum OrderStatus/],
    ['OrdersByStatus', { state: 'DELIVERED' }, /BAD_USER_INPUT: OrdersByStatus has no argument "state"\. It has: status, first, after/],
    ['OrdersByStatus', { status: 'DELIVERED', first: 100 }, /COST_LIMIT: The answer has \d+ bytes, and 12000 are the most .* Ask for a smaller page\./],
    ['query', { document: 'mutation { followUser(input: {followeeId: "x"}) { userErrors { code } } }' }, /FORBIDDEN: .*only a query/],
  ]) {
    const result = await call(client, name, args);
    assert.equal(result.isError, true);
    assert.match(text(result), want);
  }
});

test('a call can be cancelled, and its session goes on', async () => {
  const client = await connect(admin);
  const aborted = new AbortController();
  const args = { status: 'DELIVERED', first: 50 };
  const pending = client.callTool({ name: 'OrdersByStatus', arguments: args }, undefined, { signal: aborted.signal });
  aborted.abort(new Error('enough'));
  await assert.rejects(pending, /enough/);
  assert.equal((await call(client, 'OrdersByStatus', args)).isError ?? false, false);
});

test('an agent follows an order, and cancels', async () => {
  const user = await newUser({ url: `${gateway.url}/graphql` });
  const client = await connect(user.as);
  const input = { idempotencyKey: newSku(), currency: 'EUR', lines: [line(newSku())] };
  const { id } = (await call(client, 'PlaceOrder', { input })).structuredContent.data.placeOrder.order;
  const messages = [];
  let came = () => {};
  const onprogress = ({ message }) => {
    messages.push(message);
    came();
  };
  const next = () => new Promise((resolve) => (came = resolve));
  let event = next();
  const following = client.callTool({ name: 'OrderChanges', arguments: { id, 'max-events': 2 } }, undefined, { onprogress });
  await event;
  const { order } = JSON.parse(messages[0]).data;
  assert.equal(order.status, 'PENDING');
  const query = 'mutation($input: CancelOrderInput!) { cancelOrder(input: $input) { userErrors { code } } }';
  await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...user.as },
    body: JSON.stringify({ query, variables: { input: { orderId: id, version: order.version } } }),
  });
  const result = await following;
  const { events, position, receipt } = result.structuredContent;
  assert.deepEqual(events.map(({ data }) => data.order.status), ['PENDING', 'CANCELLED'], text(result));
  assert.deepEqual(events, messages.map((message) => JSON.parse(message)));
  assert.equal(receipt.bytes, JSON.stringify(events).length);

  const aborted = new AbortController();
  event = next();
  const more = { name: 'OrderChanges', arguments: { id, 'max-seconds': 50 } };
  const pending = client.callTool(more, undefined, { signal: aborted.signal, onprogress });
  await event;
  aborted.abort(new Error('enough'));
  await assert.rejects(pending, /enough/);
  const rest = await call(client, 'OrderChanges', { id, 'max-seconds': 1, 'after-position': position });
  assert.match(text(rest), /^Ended after 0 events: the seconds are over\.\nFor what follows, call OrderChanges again/);
});

test('a page shows who has which sessions, and what they have spent', async () => {
  const client = await connect(admin);
  const { session } = (await call(client, 'OrdersByStatus', { status: 'DELIVERED', first: 1 })).structuredContent;
  await call(client, 'OrdersByStatus', { status: 'LOST' });
  const browser = await launch();
  try {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ colorScheme });
      const faults = await watch(page, gateway.url);
      const response = await page.goto(`${gateway.url}/mcp/sessions`);
      const { length } = await response.body();
      assert.ok(length < 20_000, `the page has ${length} bytes`); // it is one file
      const cells = await page.getByRole('table').getByRole('row').nth(1).getByRole('cell').allTextContents();
      assert.deepEqual(cells.slice(3), [
        '1', '1', `${1500 - session.units} of 1500`, `${2000 - session.objects} of 2000`, `${300000 - session.bytes} of 300000`,
      ]);
      assert.match(cells[2], /^\d\d:\d\d:\d\d OrdersByStatus$/);
      assert.deepEqual(await seriousViolations(page), []);
      await page.getByLabel('Colour scheme').selectOption('dark');
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
      assert.deepEqual(faults, []);
      await page.close();
    }
  } finally {
    await browser.close();
  }
});

/** The five questions of docs/how-to/agents.md: each a tool with arguments, which may follow from the answers before. */
const questions = [
  ['OrdersByStatus', () => ({ status: 'DELIVERED', first: 5 })],
  ['OrdersByStatus', ([page]) => ({ status: 'DELIVERED', first: 5, after: page.ordersByStatus.pageInfo.endCursor })],
  ['Order', ([page]) => ({ id: page.ordersByStatus.nodes[0].id })],
  ['Customer', ([, , { order }]) => ({ id: order.userId })],
  ['Order', ([, , , { user }]) => ({ id: user.orders.nodes[0].id })],
];

/** The documents of the tools by their names. */
async function documents() {
  const { definitions } = parse(await readFile(join(MCP, 'orders.graphql'), 'utf8'));
  return Object.fromEntries(definitions.map((definition) => [definition.name.value, print(definition)]));
}

test('five questions take what docs/how-to/agents.md says, by tools and by introspection and free queries', async () => {
  const client = await connect(admin);
  const tools = { calls: 1, units: 0, bytes: JSON.stringify(await client.listTools()).length };
  const free = { calls: 0, units: 0, bytes: 0 };
  const post = async (query, variables) => {
    const body = await (
      await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...admin },
        body: JSON.stringify({ query, variables }),
      })
    ).text();
    const { data, errors, extensions } = JSON.parse(body);
    assert.equal(errors, undefined);
    free.calls++;
    free.units += extensions.cost.readUnits;
    free.bytes += body.length;
    return data;
  };
  await post(getIntrospectionQuery());
  const bodies = await documents();
  const answers = [];
  for (const [name, args] of questions) {
    const result = await call(client, name, args(answers));
    const { data, receipt } = result.structuredContent;
    tools.calls++;
    tools.units += receipt.readUnits;
    tools.bytes += text(result).length;
    assert.deepEqual(await post(bodies[name], args(answers)), data);
    answers.push(data);
  }
  const row = (name, { calls, units, bytes }) => `| ${name} | ${calls} | ${units} | ${Math.round(bytes / 1000)} KB |`;
  const page = await readFile(join(root, 'docs/how-to/agents.md'), 'utf8');
  for (const line of [row('tools', tools), row('introspection, and the same queries', free)]) {
    assert.ok(page.includes(line), `docs/how-to/agents.md lacks ${line}`);
  }
});

test('the inspector lists and calls', async () => {
  const { tools } = await inspect(['--method', 'tools/list']);
  assert.equal(tools.length, 9);
  const found = await inspect(['--method', 'tools/call', '--tool-name', 'search_schema', '--tool-arg', 'words=order status']);
  assert.match(text(found), /Query\.ordersByStatus\(/);
});

test('an agent starts the program itself', async () => {
  const token = admin.authorization.replace('Bearer ', '');
  const transport = new StdioClientTransport({
    command: join(root, 'bin/partita'), args: ['mcp', `--mcp=${MCP}`], cwd: root, stderr: 'pipe',
    env: { ...process.env, DATA_DIR: join(data, 'own'), MCP_TOKEN: token },
  });
  let log = '';
  transport.stderr.on('data', (part) => (log += part));
  const client = new Client({ name: 'e2e', version: '1.0.0' });
  await client.connect(transport);
  const result = await call(client, 'OrdersByStatus', { status: 'DELIVERED', first: 1 });
  assert.equal(result.structuredContent.data.ordersByStatus.nodes.length, 1, text(result));
  await client.close();
  assert.match(log, /msg=operation .*method=tools\/call .*operation=OrdersByStatus .*viewer=\S+ session=stdio/);
});

test('an agent designs a table over local files', async () => {
  const dir = join(data, 'design');
  await mkdir(dir);
  await symlink(root, join(dir, 'out'));
  const types = 'type Query { list(id: ID!): List }\n' +
    'type List { id: ID! tasks(dueAt: TimeRange): TaskConnection }\n' +
    'type Task { id: ID! listId: ID! dueAt: Time! title: String! }\n';
  await writeFile(join(dir, 'tasks.graphqls'), types.replace('Task {', 'Task { stat: Strin'));
  const client = new Client({ name: 'e2e', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: join(root, 'bin/partita'), args: ['mcp', 'design', dir] }));
  clients.push(client);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['check_schema', 'compare_designs', 'plan_operation', 'propose_keys']);

  const { findings } = (await call(client, 'check_schema')).structuredContent;
  assert.deepEqual(findings[0].edits.map(({ file, newText }) => ({ file, newText })), [{ file: 'tasks.graphqls', newText: 'g' }]);
  for (const folder of ['..', 'out', 'out/graph/schema', root]) {
    const outside = await call(client, 'check_schema', { folder });
    assert.equal(outside.isError, true, text(outside));
  }

  const files = { 'tasks.graphqls': types };
  const proposed = await call(client, 'propose_keys', { files });
  const { files: keyed, patterns, unserved } = proposed.structuredContent;
  assert.deepEqual(unserved, []);
  assert.deepEqual(patterns.map(({ field, requests }) => [field, requests]), [['Query.list', 1], ['List.tasks', 1]]);
  assert.match(text(await call(client, 'check_schema', { files: keyed })), /The schema can be served/);

  const document = 'query List { list(id: "TGlzdDox") { tasks(first: 10) { nodes { title } } } }';
  const planned = await call(client, 'plan_operation', { files: keyed, document });
  assert.match(text(planned), /at worst: 1 wave, 2 requests/);

  const other = { files: { 'tasks.graphqls': keyed['tasks.graphqls'].replace(/sk: "TASK#{dueAt}#{id}"/, '$&, maxBytes: 1024') } };
  const compared = await call(client, 'compare_designs', {
    base: { files: keyed }, other, operations: [{ document, rate: '10/s' }], objects: { Task: 1e8 },
  });
  assert.equal(compared.structuredContent.money.cheaper, 'other', text(compared));
});
