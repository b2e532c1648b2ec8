// Runs the gateway as a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const startWithin = 60_000; // milliseconds; the demo data are loaded meanwhile

/** Starts bin/partita on a free port, with the local engine unless the settings name another table. */
export async function start(args, settings) {
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(join(root, 'bin/partita'), args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...withoutTable(process.env), ADDR: address, ...settings },
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  return { process: child, exited: once(child, 'exit'), url: `http://${address}`, log: () => log };
}

/** Leaves out the settings that would make the gateway serve another table than a fresh one of the local engine. */
function withoutTable(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('AWS_') && !['DYNAMODB_ENDPOINT', 'TABLE_NAME'].includes(name)),
  );
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until a gateway is ready. */
export async function ready(gateway) {
  const deadline = AbortSignal.timeout(startWithin);
  gateway.exited.then(([code]) => (gateway.code = code));
  while (!(await isReady(gateway.url, deadline))) {
    if (deadline.aborted) throw new Error(`the gateway is not ready after ${startWithin} ms:\n${gateway.log()}`);
    if (gateway.code !== undefined) throw new Error(`the gateway ended with code ${gateway.code}:\n${gateway.log()}`);
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
