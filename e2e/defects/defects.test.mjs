// `make defects` takes minutes. These tests keep its changes from rotting: each still applies, and the tests that should
// notice them still exist.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../process.mjs';
import { changed, defects } from './changes.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');

const run = promisify(execFile);

let dir;

before(async () => (dir = await mkdtemp(join(tmpdir(), 'partita-defects-'))));

after(() => rm(dir, { recursive: true, force: true }));

for (const defect of defects) {
  test(`${defect.name}: the changes apply, and the tests exist`, () => {
    for (const [file, text] of changed([defect], read)) assert.notEqual(text, read(file));
    const tests = defect.tests.map((name) => read(`e2e/${name}.test.mjs`)).join('\n');
    for (const name of defect.caught)
      assert.ok(
        names(tests).some((pattern) => pattern.test(name)),
        `no test is called ${name}`,
      );
  });
}

/** The names of tests, as patterns: a name may have an expression in it. */
function names(text) {
  const found = text.matchAll(/\btest\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g);
  return [...found].map((match) => {
    const parts = (match[1] ?? match[2] ?? match[3]).split(/\$\{[^}]*\}/);
    return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`);
  });
}

test('README.md has the result of each defect', () => {
  const [, table] = read('e2e/defects/README.md').match(/\n\| Defect \|.*\n\| ---.*\n((?:\|.*\n)+)/);
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));
  assert.deepEqual(
    rows.map(([, name]) => name),
    defects.map(({ name }) => name),
  );
  for (const [, , failures, test] of rows) assert.ok(Number(failures) > 0 && test.startsWith('`'), test);
});

test('each change is Go that can be parsed', async () => {
  // `make defects` compiles them, which takes a minute.
  const files = [];
  for (const [i, defect] of defects.entries()) {
    for (const [file, text] of changed([defect], read)) {
      if (!file.endsWith('.go')) continue;
      files.push(join(dir, `${i}-${basename(file)}`));
      await writeFile(files.at(-1), text);
    }
  }
  await run('gofmt', ['-l', ...files]);
});
