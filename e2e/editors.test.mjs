// What an editor shows in the files of a folder: reads its .graphqlrc.yml as editors do, and asks the language service that
// those for GraphQL share.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildASTSchema, concatAST, parse, validateSchema } from 'graphql';
import { loadConfig } from 'graphql-config';
import { getDiagnostics } from 'graphql-language-service';
import { settings } from './gateway.mjs';
import { root, startOwn } from './process.mjs';

const run = promisify(execFile);

let dir, created;

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'partita-editors-'));
  created = join(dir, 'created');
  await run(join(root, 'bin/partita'), ['new', created]);
});

after(() => rm(dir, { recursive: true, force: true }));

test('a new folder has no errors', async () => {
  assert.deepEqual(await problems(created), []);
});

test('an editor shows a wrong name in a schema file and in an operation', async () => {
  const wrong = await copy('wrong', created);
  const edit = async (name, from, to) => {
    const text = await readFile(join(wrong, name), 'utf8');
    await writeFile(join(wrong, name), text.replace(from, to));
  };
  await edit('schema.graphqls', '@unique(ignoreCase: true)', '@unik');
  await edit('query.graphql', 'first: 5', 'frist: 5');
  assert.deepEqual((await problems(wrong)).map(shortened), [
    'all schema files: Unknown directive "@unik".',
    'query.graphql:5: Unknown argument "frist" on field "Cook.recipes".',
    'schema.graphqls:34: Unknown directive "@unik".',
  ]);
});

const shortened = (problem) => problem.replace(/ Did you mean.*/, '');

test('what an editor knows follows the schema while it is watched', async () => {
  const watched = await copy('watched', created);
  const gateway = await startOwn({}, ['serve', watched, '--watch']);
  try {
    await writeFile(join(watched, 'notes.graphqls'), notes);
    await writeFile(join(watched, 'notes.graphql'), '{ notes(id: "1", first: 5) { nodes { text } } }');
    assert.deepEqual(await problemsSoon(watched, 0), []);
    await rm(join(watched, 'notes.graphqls'));
    const gone = await problemsSoon(watched, 1);
    assert.deepEqual(gone.map(shortened), ['notes.graphql:1: Cannot query field "notes" on type "Query".']);
  } finally {
    await gateway.remove();
  }
});

const notes = `
extend type Query { notes(id: ID!): NoteConnection @query(pk: "COOK#{id}", sk: "NOTE#") }
type Note @item(pk: "COOK#{cookId}", sk: "NOTE#{at}") { cookId: ID! at: Time! text: String }
`;

/** What an editor shows once that is a number of problems. */
async function problemsSoon(folder, number) {
  for (const deadline = Date.now() + 60_000; ; ) {
    const found = await problems(folder);
    if (found.length === number || Date.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const examples = await readdir(join(root, 'examples'), { withFileTypes: true });

for (const { name } of examples.filter((entry) => entry.isDirectory())) {
  test(`the example ${name} has no errors`, async () => {
    assert.deepEqual(await problems(await prepare(name, join(root, 'examples', name))), []);
  });
}

test('a Go module has no errors', async () => {
  const module = join(dir, 'module');
  await mkdir(join(module, 'graph'), { recursive: true });
  await cp(created, join(module, 'graph/schema'), { recursive: true, filter: (name) => !/\.partita|\.yml|query/.test(name) });
  await cp(join(created, '.partita'), join(module, '.partita'), { recursive: true });
  await cp(join(created, 'query.graphql'), join(module, 'query.graphql'));
  await cp(join(root, 'internal/gen/module/templates/graphqlrc.yml'), join(module, '.graphqlrc.yml'));
  assert.deepEqual(await problems(module, 'graph/schema'), []);
});

test('the shop has no errors', async () => {
  const shop = await prepare('shop', join(root, 'graph/schema'));
  const { tabs } = await settings();
  for (const [i, { query }] of tabs.entries()) await writeFile(join(shop, `${i}.graphql`), query);
  assert.deepEqual(await problems(shop), []);
});

async function copy(name, from) {
  await cp(from, join(dir, name), { recursive: true });
  return join(dir, name);
}

/** A copy of a folder with what an editor needs. */
async function prepare(name, from) {
  const folder = await copy(name, from);
  await mkdir(join(folder, '.partita'));
  await cp(join(created, '.graphqlrc.yml'), join(folder, '.graphqlrc.yml'));
  const gateway = await startOwn({}, ['serve', folder, '--watch']);
  await gateway.remove();
  return folder;
}

/** The files of a folder that editors read, each with its project in the folder's configuration. */
async function files(folder, schema) {
  const { projects } = await loadConfig({ rootDir: folder });
  const within = async (below) =>
    (await readdir(join(folder, below))).filter((name) => /\.graphqls?$/.test(name)).map((name) => join(below, name));
  const names = new Set([...(await within('.')), ...(await within(schema)), '.partita/built-in.graphql']);
  return Promise.all(
    [...names].map(async (name) => ({
      name,
      text: await readFile(join(folder, name), 'utf8'),
      project: Object.values(projects).find((project) => project.match(join(folder, name))),
    })),
  );
}

/** What an editor shows in a folder, whose schema may be in a folder below it, and before it what is wrong with all schema files together. */
async function problems(folder, schema = '.') {
  const all = await files(folder, schema);
  const found = faults(all.filter(({ project }) => project.name === 'schema'));
  for (const { name, text, project } of all) {
    try {
      // Editors, too, read a schema that is not valid.
      const schema = await project.loadSchema(project.schema, 'GraphQLSchema', { assumeValidSDL: true });
      for (const { message, range } of getDiagnostics(text, schema)) found.push(`${name}:${range.start.line + 1}: ${message}`);
    } catch ({ message }) {
      found.push(`${name}: ${message}`); // such as an unknown type, after which an editor has no schema
    }
  }
  return found;
}

/** Which rules of GraphQL files break as one schema, such as that nothing is defined twice. */
function faults(files) {
  const document = concatAST(files.map(({ text }) => parse(text)));
  try {
    return validateSchema(buildASTSchema(document)).map(({ message }) => `all schema files: ${message}`);
  } catch ({ message }) {
    return [`all schema files: ${message}`];
  }
}
