// Serves the storefront against a running gateway: `make storefront`. The app asks the gateway itself, as a page of
// another origin; this server has its files, and signs demo users in.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { root } from '../process.mjs';
import { bundler, folder, generateTypes } from './build.mjs';

/** Ada Lovelace of the demo data. The sign-in page offers her and those she follows. */
export const ada = 'VXNlcjowMTk5OWVjOS0wYzAwLTczYjMtYWViNS1mNzVlMDE2YWViYTU';

const types = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.woff2': 'font/woff2',
};

/** Another demo user, who packs and ships if signed in with the role ADMIN. */
export const staff = 'VXNlcjowMTk5OWVjYS1lMGMwLTczMWQtOTliMC02MjA1NTNiYTVhZTY';

/**
 * Starts the server on a loopback port, 0 for a free one. With `reload`, each load of a page brings types and bundle up
 * to date.
 */
export async function serve({ gateway, port = 0, reload = false }) {
  await generateTypes(gateway);
  const build = await bundler();
  let files = await build.rebuild().catch(async (error) => {
    await build.dispose(); // it keeps a process
    throw error;
  });

  async function refresh() {
    // Without the gateway, the last types remain.
    await generateTypes(gateway).catch((error) => console.error(`storefront: no new types: ${reason(error)}`));
    files = await build.rebuild();
  }

  async function respond(request, response) {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (request.method === 'POST' && pathname === '/sign-in') return signIn(request, response);
    if (request.method !== 'GET') return send(response, 405, 'text/plain', '');
    const file = files.get(pathname.slice(1));
    if (file) return send(response, 200, types[extname(pathname)], file);
    if (extname(pathname)) return send(response, 404, 'text/plain', 'There is no such file.');
    if (reload) await refresh();
    send(response, 200, 'text/html; charset=utf-8', await page(gateway), {
      'content-security-policy': policy(gateway),
    });
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error) => {
      console.error(`storefront: ${reason(error)}`);
      send(response, 500, 'text/plain; charset=utf-8', reason(error));
    });
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await build.dispose();
  };
  return { url: `http://localhost:${server.address().port}`, close };
}

/** Any path that is no file is the app: its router reads the path. */
async function page(gateway) {
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  return html.replace('{}', () => JSON.stringify({ endpoint: `${gateway}/graphql`, host: ada, staff }));
}

const policy = (gateway) =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:",
    `connect-src 'self' ${gateway} ${gateway.replace(/^http/, 'ws')}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  ].join('; ');

/** Mints a token as an identity provider would after it has checked a password. */
async function signIn(request, response) {
  const { user, isStaff } = await json(request);
  if (typeof user !== 'string' || !/^[A-Za-z0-9][\w=-]*$/.test(user))
    return send(response, 400, 'text/plain', 'user is no id');
  const claims = ['--expires=1h', ...(isStaff ? ['--role=ADMIN'] : [])];
  const { stdout } = await promisify(execFile)(join(root, 'bin/partita'), ['token', user, ...claims], { cwd: root });
  send(response, 200, 'application/json', JSON.stringify({ token: stdout.trim() }));
}

function send(response, status, type, body, headers = {}) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(body);
}

const reason = (error) => error.cause?.code ?? error.message;

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const gateway = (process.env.PARTITA_URL ?? 'http://localhost:8080').replace(/\/$/, '');
  try {
    const { url } = await serve({ gateway, port: Number(process.env.PORT ?? 3000), reload: true });
    console.log(`The storefront is at ${url}, and asks ${gateway}.`);
  } catch (error) {
    const advice = {
      ECONNREFUSED: `no gateway is at ${gateway}: start it by \`make run\` in another terminal, or set PARTITA_URL`,
      EADDRINUSE: 'the port is in use: set PORT to another one',
    };
    console.error(`storefront: ${advice[error.cause?.code ?? error.code] ?? error.message}`);
    process.exit(1); // the bundler would keep the process
  }
}
