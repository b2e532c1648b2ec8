// Runs the end-to-end tests against the shop: starts bin/partita with the local engine and fresh demo data, waits until it is ready,
// runs the tests, or those in the files that are its arguments, and stops it as a supervisor would. With PARTITA_URL set
// the tests run against that gateway instead.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ready, root, start } from './process.mjs';

const stopWithin = 30_000; // milliseconds

process.exitCode = process.env.PARTITA_URL ? await runTests(process.env.PARTITA_URL, process.env.FAILURES) : await runAgainstShop();

async function runAgainstShop() {
  const data = await mkdtemp(join(tmpdir(), 'partita-e2e-'));
  const failures = process.env.FAILURES ?? join(data, 'failures');
  process.env.DEMO_DATA = join(data, 'demo');
  await load(process.env.DEMO_DATA);
  const DATA_DIR = join(data, 'shop');
  await cp(process.env.DEMO_DATA, DATA_DIR, { recursive: true });
  const shop = await start(['serve'], { DATA_DIR });
  try {
    await ready(shop);
    const children = await childrenOf(shop.process.pid);
    const code = await runTests(shop.url, failures);
    const faults = await stop(shop, children);
    if (code !== 0 || faults.length > 0) process.stderr.write(shop.log());
    // Last, so that nobody has to look for them before the log.
    for (const fault of [...faults, ...(await failed(failures))]) console.error(`e2e: ${fault}`);
    return code || (faults.length > 0 ? 1 : 0);
  } finally {
    if (shop.process.exitCode === null) shop.process.kill('SIGKILL');
    await rm(data, { recursive: true, force: true });
  }
}

/** Loads the demo data, once for all gateways. */
async function load(DATA_DIR) {
  const loader = await start(['serve'], { DATA_DIR });
  try {
    await ready(loader);
  } finally {
    loader.process.kill();
    await loader.exited;
  }
}

async function runTests(url, failures) {
  const named = process.argv.slice(2);
  const tests = named.length > 0 ? named : await allTests();
  const runner = spawn(process.execPath, ['--test', ...reporters(failures), '--test-concurrency=3', ...tests], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PARTITA_URL: url },
  });
  const [code] = await once(runner, 'exit');
  return code ?? 1;
}

/** Reports to the console, and to a file the tests that fail, if there is one. */
function reporters(failures) {
  const spec = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  const reporter = join(root, 'e2e', 'defects', 'reporter.mjs');
  return failures ? [...spec, `--test-reporter=${reporter}`, `--test-reporter-destination=${failures}`] : spec;
}

/** The tests that failed, with what each says. */
async function failed(failures) {
  const lines = (await readFile(failures, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line)).map(({ file, name, message }) => `${file}: ${name}: ${message}`);
}

/** The test files in this folder and those directly below it. */
async function allTests() {
  const here = join(root, 'e2e');
  const entries = await readdir(here, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map(({ name }) => join(here, name));
  const names = await Promise.all([here, ...folders].map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))));
  return names.flat().filter((name) => name.endsWith('.test.mjs')).sort();
}

/** Stops the gateway, and returns what is wrong about its end. */
async function stop(shop, children) {
  const faults = [];
  if (children.length === 0 && existsSync('/proc')) faults.push('the gateway has started no local engine');
  shop.process.kill('SIGTERM');
  const timer = setTimeout(() => shop.process.kill('SIGKILL'), stopWithin);
  const [code, signal] = await shop.exited;
  clearTimeout(timer);
  if (code !== 0) faults.push(`after SIGTERM the gateway ended with ${code ?? signal}, not 0`);
  for (const { pid, name } of children) {
    if (await isAlive(pid, name)) faults.push(`the gateway has left its child ${name} (${pid}) behind`);
  }
  return faults;
}

/** The child processes of a process, on Linux: nowhere else is there a local engine. */
async function childrenOf(parent) {
  if (!existsSync('/proc')) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map(status));
  return all.filter((process) => process?.parent === parent);
}

async function isAlive(pid, name) {
  const process = await status(pid);
  return process?.name === name && process.state !== 'Z';
}

async function status(pid) {
  try {
    const text = await readFile(`/proc/${pid}/status`, 'utf8');
    const field = (name) => text.match(new RegExp(`^${name}:\\s*(\\S+)`, 'm'))?.[1];
    return { pid, name: field('Name'), state: field('State'), parent: Number(field('PPid')) };
  } catch {
    return undefined; // it has ended
  }
}
