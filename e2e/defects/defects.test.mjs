// `make defects` takes minutes. These tests keep its changes from rotting: each still applies, the gateway still
// compiles with them, and the tests that should notice them still exist.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

test('the gateway compiles with each change', async () => {
  // The changes are compiled together, as far as they are of different places: once for all is fast.
  for (let left = defects; left.length > 0; ) {
    const [together, others] = apart(left);
    assert.ok(together.length > 0, `cannot be applied: ${others.map(({ name }) => name).join(', ')}`);
    const texts = [...changed(together, read)].filter(([file]) => file.endsWith('.go'));
    const overlay = { Replace: {} };
    for (const [i, [file, text]] of texts.entries()) {
      const path = join(dir, `${i}.go`);
      await writeFile(path, text);
      overlay.Replace[join(root, file)] = path;
    }
    const packages = new Set(texts.map(([file]) => `./${dirname(file)}`));
    await writeFile(join(dir, 'overlay.json'), JSON.stringify(overlay));
    if (packages.size > 0) await run('go', ['build', `-overlay=${join(dir, 'overlay.json')}`, ...packages], { cwd: root });
    left = others;
  }
});

/** Divides defects into those that apply together and the others. */
function apart(list) {
  const together = [];
  const others = list.filter((defect) => {
    try {
      changed([...together, defect], read);
    } catch {
      return true;
    }
    together.push(defect);
    return false;
  });
  return [together, others];
}
