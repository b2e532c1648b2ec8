// Introduces each deliberate defect into a copy of the repository, one at a time, and runs the end-to-end tests that
// should notice it. Arguments are parts of the names of defects; without any, all of them run.
//
// It fails if the tests fail without a defect, if no test fails with one, or if one that names what is broken passes.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../process.mjs';
import { changed, defects } from './changes.mjs';

const run = promisify(execFile);
const testsWithin = 10 * 60_000; // milliseconds for the tests of one defect
const notCommitted = ['node_modules', 'e2e/node_modules'];
const pages = 'internal/gateway/playground';
const built = [`${pages}/dist`];

const wanted = process.argv.slice(2);
const selected = defects.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
assert.ok(selected.length > 0, `no defect has a name with ${wanted.join(' or ')}`);

const copy = await mkdtemp(join(tmpdir(), 'partita-defects-'));
try {
  await copyRepository();
  process.exitCode = (await proveAll()) ? 0 : 1;
} finally {
  await rm(copy, { recursive: true, force: true });
}

/** Copies the files as they are in the working tree, and links what is installed. */
async function copyRepository() {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  for (const name of stdout.split('\0').filter(Boolean)) {
    if (existsSync(join(root, name))) await cp(join(root, name), join(copy, name)); // or it is deleted
  }
  await copyBuilt();
  for (const name of notCommitted) await symlink(join(root, name), join(copy, name));
}

async function copyBuilt() {
  for (const name of built) {
    await rm(join(copy, name), { recursive: true, force: true });
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
}

async function proveAll() {
  const sound = await failuresOf([...new Set(selected.flatMap(({ tests }) => tests))]);
  if (sound.length > 0) {
    console.error(`without a defect these tests fail:\n${sound.map(line).join('\n')}`);
    return false;
  }
  const rows = [];
  for (const defect of selected) rows.push(await prove(defect));
  console.log('\n| Defect | Failures | One of them |\n| --- | --- | --- |');
  for (const { name, failures } of rows) console.log(`| ${name} | ${failures.length} | ${cell(failures[0])} |`);
  return rows.every(({ isCaught }) => isCaught);
}

function cell(failure) {
  return failure ? `\`${failure.file}\`: ${failure.name}` : '**none**';
}

/** Runs the tests with one defect. */
async function prove({ name, changes, tests, caught }) {
  const texts = changed([{ name, changes }], (file) => readFileSync(join(copy, file), 'utf8'));
  const before = new Map([...texts.keys()].map((file) => [file, readFileSync(join(copy, file))]));
  const isOfPages = [...texts.keys()].some((file) => file.startsWith(`${pages}/`));
  for (const [file, text] of texts) await writeFile(join(copy, file), text);
  if (isOfPages) await run('npm', ['run', '--silent', 'build:playground'], { cwd: copy });
  const failures = await failuresOf(tests);
  for (const [file, text] of before) await writeFile(join(copy, file), text);
  if (isOfPages) await copyBuilt();
  const missed = caught.filter((test) => !failures.some((failure) => failure.name === test));
  const isCaught = failures.length > 0 && missed.length === 0;
  console.log(`${isCaught ? 'caught' : 'MISSED'}: ${name}\n${failures.map(line).join('\n')}`);
  for (const test of missed) console.error(`  passes all the same: ${test}`);
  failures.sort((a, b) => caught.includes(b.name) - caught.includes(a.name));
  return { name, failures, isCaught };
}

/** A failure for people: the test and the first line of its message. */
function line({ file, name, message }) {
  return `  ${file}: ${name}\n      ${message.split('\n')[0].slice(0, 150)}`;
}

/** Builds the program and gives the failures of tests. */
async function failuresOf(tests) {
  await run('go', ['build', '-o', 'bin/partita', '.'], { cwd: copy });
  const report = join(copy, 'failures.jsonl');
  await writeFile(report, '');
  const files = tests.map((name) => `e2e/${name}.test.mjs`);
  const runner = spawn(process.execPath, ['e2e/run.mjs', ...files], {
    cwd: copy,
    stdio: 'ignore',
    timeout: testsWithin,
    env: { ...process.env, FAILURES: report, PARTITA_URL: '' },
  });
  const [code, signal] = await once(runner, 'exit');
  const failures = (await readFile(report, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text));
  if (failures.length === 0 && code !== 0)
    failures.push({ file: 'run', name: 'the tests run', message: `they end with ${code ?? signal}` });
  return failures;
}
