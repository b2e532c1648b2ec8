// Runs the gateway as a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const startWithin = 180_000; // milliseconds; the demo data are loaded meanwhile

/** Starts bin/partita, on a free port and with the local engine unless the settings name others. */
export async function start(args, settings = {}) {
  const address = settings.ADDR ?? `127.0.0.1:${await freePort()}`;
  const child = spawn(join(root, 'bin/partita'), args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...withoutTable(process.env), ...settings, ADDR: address },
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  return { process: child, exited: once(child, 'exit'), url: `http://${address}`, log: () => log };
}

/**
 * Starts a gateway over a table of its own, and waits until it is ready. The shop's begins as a copy of DEMO_DATA, if that is
 * set: loading them takes longer than all else. `stop` ends it, `start` starts it again with the same address and data, and
 * `remove` ends it and removes the data.
 */
export async function startOwn(settings = {}, args = ['serve']) {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'partita-own-'));
  if (process.env.DEMO_DATA && args.length === 1) await cp(process.env.DEMO_DATA, DATA_DIR, { recursive: true });
  const own = {
    async start() {
      const address = own.url && { ADDR: new URL(own.url).host };
      await ready(Object.assign(own, await start(args, { ...settings, ...address, DATA_DIR })));
    },
    async stop(signal = 'SIGTERM') {
      own.process.kill(signal);
      await own.exited;
    },
    async remove(signal) {
      await own.stop(signal);
      await rm(DATA_DIR, { recursive: true, force: true });
    },
  };
  try {
    await own.start();
  } catch (error) {
    await own.remove('SIGKILL');
    throw error;
  }
  return own;
}

/** Leaves out the settings that would make the gateway serve another table than a fresh one of the local engine. */
function withoutTable(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('AWS_') && !['DYNAMODB_ENDPOINT', 'TABLE_NAME'].includes(name)),
  );
}

/**
 * A port that is free now, and while no gateway is there: the kernel gives the ports from 32768 on to those who ask for any,
 * among them browsers and other gateways.
 */
export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_768);
    const server = createServer();
    const free = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Waits until a gateway is ready. */
export async function ready(gateway) {
  const deadline = AbortSignal.timeout(startWithin);
  let code;
  gateway.exited.then(([status]) => (code = status));
  while (!(await isReady(gateway.url, deadline))) {
    if (deadline.aborted) throw new Error(`the gateway is not ready after ${startWithin} ms:\n${gateway.log()}`);
    if (code !== undefined) throw new Error(`the gateway ended with code ${code}:\n${gateway.log()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function isReady(url, signal) {
  try {
    return (await fetch(`${url}/readyz`, { signal })).ok;
  } catch {
    return false; // not listening yet
  }
}
