// Generates TypeScript with GraphQL Code Generator from the running gateway, as docs/how-to/clients.md configures it,
// compiles a frontend with it, and sends its documents with Apollo Client.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { build } from 'esbuild';
import { buildClientSchema, buildSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } from 'graphql';
import { endpoint } from '../gateway.mjs';
import { root } from '../process.mjs';
import { ask } from '../shop.mjs';
import { codeIn } from './documented.mjs';
import { demoUser } from './fixture.mjs';

const run = promisify(execFile);
const frontend = join(root, 'e2e', 'clients', 'typescript');
const modules = join(root, 'e2e', 'node_modules');

const versions = {
  7: { cli: '@graphql-codegen/cli/esm/bin.js', preset: 'client' },
  6: { cli: 'graphql-codegen-cli-6/cjs/bin.js', preset: 'graphql-codegen-client-preset-5' },
};

/** Runs a program of Node.js in a folder. If it fails, the error has what it has printed. */
const node = (cwd, ...args) =>
  run(process.execPath, args, { cwd }).catch(({ stdout, stderr }) => Promise.reject(new Error(stdout + stderr)));

for (const [version, { cli, preset }] of Object.entries(versions)) {
  describe(`GraphQL Code Generator ${version}`, () => {
    let folder;

    before(async () => {
      await mkdir(join(modules, '.cache'), { recursive: true });
      folder = await mkdtemp(join(modules, '.cache', 'codegen-')); // where the generator finds its presets
      await cp(frontend, join(folder, 'src'), { recursive: true });
      const config = await codeIn('TypeScript', 'ts');
      const changed = config.replace('http://localhost:8080/graphql', endpoint).replace(`'client'`, `'${preset}'`);
      await writeFile(join(folder, 'codegen.ts'), changed);
      await writeFile(join(folder, 'src', 'shop.ts'), `export * from './gql/graphql.ts';\n`);
      await node(folder, join(modules, cli), '--config', 'codegen.ts');
    });

    after(() => rm(folder, { recursive: true, force: true }));

    test('a frontend compiles with the generated types, and its mistakes do not', async () => {
      const tsc = join(modules, 'typescript', 'bin', 'tsc');
      await assert.doesNotReject(node(folder, tsc, '--project', join(folder, 'src')));
    });

    test('Apollo Client sends the generated documents', async () => {
      await build({
        entryPoints: [join(folder, 'src', 'shop.ts')],
        outfile: join(folder, 'shop.mjs'),
        bundle: true,
        format: 'esm',
        logLevel: 'error',
      });
      const { OrdersOfUserDocument } = await import(join(folder, 'shop.mjs'));
      const { id, token } = await demoUser();
      const link = new HttpLink({ uri: endpoint, headers: { authorization: `Bearer ${token}` } });
      const client = new ApolloClient({ link, cache: new InMemoryCache() });
      const { data } = await client.query({ query: OrdersOfUserDocument, variables: { user: id, first: 2 } });
      assert.equal(data.user.name, 'Ada Lovelace');
      assert.deepEqual(Object.keys(data.user.orders.nodes[0]), ['__typename', 'id', 'status', 'createdAt', 'total']);
    });

    test('the schema that it has read is what introspection returns', async () => {
      const sorted = (schema) => printSchema(lexicographicSortSchema(schema));
      const data = await ask(getIntrospectionQuery());
      const read = buildSchema(await readFile(join(folder, 'schema.graphql'), 'utf8'));
      assert.equal(sorted(read), sorted(buildClientSchema(data)));
    });
  });
}
