// The classic GraphQL Playground: its prebuilt bundle, on a page of its own origin.
//
// Only the package's tarball is fetched, once, and checked against its hash. Its dependencies, hundreds of old packages,
// are in the bundle already.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './process.mjs';

const run = promisify(execFile);
const name = 'graphql-playground-react';
const version = '1.7.28';
const integrity = 'sha512-YPR33Ph9kuKlFOMpc8mKGsL/fOiX0ltgzV1BokXYNsBLtTVQnhdCSKQuZg80CcxWKD8syNuWXDkGZSAdFkwmRg==';
const cache = join(root, '.cache');

/** Returns the folder with the bundle, which it fetches unless it is there. */
async function bundle() {
  const file = join(cache, `${name}-${version}.tgz`);
  if (!(await isIntact(file))) await fetchTo(file);
  const dir = await mkdtemp(join(cache, 'classic-'));
  await run('tar', ['-xzf', file, '-C', dir, 'package/build/static']);
  return dir;
}

async function isIntact(file) {
  try {
    return `sha512-${createHash('sha512').update(await readFile(file)).digest('base64')}` === integrity;
  } catch {
    return false; // it is not there
  }
}

async function fetchTo(file) {
  await mkdir(cache, { recursive: true });
  const dir = await mkdtemp(join(cache, 'fetch-'));
  try {
    const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--pack-destination', dir, '--ignore-scripts', '--silent']);
    const fetched = join(dir, stdout.trim());
    if (!(await isIntact(fetched))) throw new Error(`${name}@${version} is not the package with ${integrity}`);
    await rename(fetched, file);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const page = (endpoint) => `<!doctype html>
<html>
  <head><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/static/css/index.css"></head>
  <body>
    <div id="root"></div>
    <script src="/static/js/middleware.js"></script>
    <script>
      addEventListener('load', () => GraphQLPlayground.init(document.getElementById('root'), {
        endpoint: ${JSON.stringify(endpoint)},
        settings: { 'schema.polling.enable': false, 'editor.theme': 'light' },
      }));
    </script>
  </body>
</html>`;

const types = { css: 'text/css', js: 'text/javascript', png: 'image/png' };

/** Serves the page for an endpoint. */
export async function serveClassic(endpoint) {
  const dir = await bundle();
  const server = createServer(async (request, response) => {
    const [, file, type] = request.url.match(/^(\/static\/[\w/.]+\.(css|js|png))$/) ?? [];
    try {
      const body = file ? await readFile(join(dir, 'package/build', file)) : page(endpoint);
      response.writeHead(200, { 'content-type': types[type] ?? 'text/html; charset=utf-8' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
