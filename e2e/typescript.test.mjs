// Generates TypeScript for a frontend of the shop, compiles it, and sends its documents with Apollo Client.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { build } from 'esbuild';
import { parse } from 'graphql';
import { endpoint, settings } from './gateway.mjs';
import { root } from './process.mjs';

const run = promisify(execFile);
const documents = ['fragments.graphql', 'orders.graphql'];

let frontend, shop;

before(async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  frontend = await mkdtemp(join(root, '.cache', 'frontend-')); // within the folder of node_modules
  await cp(join(root, 'e2e', 'typescript'), frontend, { recursive: true });
  const patterns = documents.map((name) => `--documents=${name}`);
  await run(join(root, 'bin', 'partita'), ['generate', '--types=shop.ts', ...patterns], { cwd: frontend });
  await build({ entryPoints: [join(frontend, 'shop.ts')], outfile: join(frontend, 'shop.mjs'), logLevel: 'error' });
  shop = await import(join(frontend, 'shop.mjs'));
});

after(() => rm(frontend, { recursive: true, force: true }));

test('a frontend compiles, and its mistakes do not', async () => {
  const compiled = run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--project', frontend]);
  await assert.doesNotReject(compiled.catch(({ stdout }) => Promise.reject(new Error(stdout))));
});

/** Leaves out what GraphQL.js has of a document besides what it means: empty lists, and what is undefined. */
function plain(node) {
  const optional = ['variableDefinitions', 'directives', 'arguments'];
  return JSON.parse(JSON.stringify(node, (key, value) => (optional.includes(key) && value.length === 0 ? undefined : value)));
}

test('the constants are what the parser of GraphQL.js makes of the documents', async () => {
  const texts = await Promise.all(documents.map((name) => readFile(join(frontend, name), 'utf8')));
  const { definitions } = parse(texts.join('\n'), { noLocation: true });
  const named = (name) => plain(definitions.find((definition) => definition.name.value === name));
  for (const [name, constant] of Object.entries(shop)) {
    const [definition] = constant.definitions;
    assert.equal(name, `${definition.name.value}${definition.kind === 'FragmentDefinition' ? 'FragmentDoc' : 'Document'}`);
    assert.deepEqual(constant.definitions, constant.definitions.map((d) => named(d.name.value)));
  }
  assert.equal(Object.keys(shop).length, definitions.length);
  assert.deepEqual(shop.OrdersOfUserDocument.definitions.map((d) => d.name.value), ['OrdersOfUser', 'OrderLine']);
});

test('Apollo Client sends them', async () => {
  const page = await settings();
  const [, user] = page.defaultQuery.match(/user\(id: "([^"]+)"\)/);
  const client = new ApolloClient({ link: new HttpLink({ uri: endpoint, headers: page.headers }), cache: new InMemoryCache() });
  const { data } = await client.query({ query: shop.OrdersOfUserDocument, variables: { user } });
  assert.equal(data.user.orders.nodes.length, 3);
  const [order] = data.user.orders.nodes;
  assert.deepEqual(Object.keys(order), ['__typename', 'id', 'status', 'createdAt', 'total']);
  assert.equal('email' in data.user, false);

  const cached = client.readFragment({ id: `Order:${order.id}`, fragment: shop.OrderLineFragmentDoc });
  assert.deepEqual(cached, order);
  const found = await client.query({ query: shop.FoundDocument, variables: { ids: [user, order.id] } });
  assert.deepEqual(found.data.nodes.map((node) => node.name ?? node.status), [data.user.name, order.status]);
});
