// docs/how-to/clients.md as the tests use it: the code of a client's section is what they run, and its table has what
// they expect and observe. With REWRITE=1 the tables are written, not compared; run one file at a time then.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../process.mjs';
import { describeSeen } from './seen.mjs';

const page = join(root, 'docs', 'how-to', 'clients.md');
const cache = join(root, 'e2e', 'node_modules', '.cache'); // where modules find their packages
const api = 'https://api.shop.example/graphql';
const socket = api.replace('https', 'wss');
const head = '| When | Status | What you have |\n| --- | --- | --- |\n';
const shortHead = '| When | What you have |\n| --- | --- |\n'; // of subscriptions, whose events have no status

/** Returns the text of a section of the page, up to the next heading that is not below it. */
async function section(name) {
  const text = await readFile(page, 'utf8');
  const [heading, level] = text.match(new RegExp(`^(##+) ${name}\n`, 'm')) ?? [];
  assert.ok(heading, `docs/how-to/clients.md has no section "${name}"`);
  const [, after] = text.split(`\n${heading}`);
  return after.split(new RegExp(`^#{2,${level.length}} `, 'm'))[0];
}

/** Returns the first code of a section in a language. */
export async function codeIn(name, language) {
  const [, code] = (await section(name)).match(new RegExp('\n```' + language + '\n(.*?)\n```\n', 's')) ?? [];
  assert.ok(code, `the section "${name}" of docs/how-to/clients.md has no code in ${language}`);
  return code;
}

/** The code in the language of the shell, for a gateway at a URL. */
export const commandIn = async (name, url) => (await codeIn(name, 'sh')).replace(api, url);

/**
 * Returns what the module in a section exports, for a gateway at a URL and a token or none. Of the modules that it can
 * import, three have sections of their own, and `session.js` is the application's. With an alias for a package, all is
 * bundled first.
 */
export async function moduleIn(name, { url, token }, alias) {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'documented-'));
  try {
    const texts = {
      'package.json': '{"type": "module"}',
      'session.js': `export const getToken = async () => ${JSON.stringify(token)};`,
      'patient-fetch.js': await codeIn('Sending again', 'js'),
      'cache.js': await codeIn('The cache of Apollo Client', 'js'),
      'socket.js': (await codeIn('A WebSocket', 'js')).replace(socket, url.replace(/^http/, 'ws')),
      'client.js': (await codeIn(name, 'js')).replace(api, url),
    };
    await Promise.all(Object.entries(texts).map(([file, text]) => writeFile(join(folder, file), text)));
    const module = join(folder, 'client.js');
    if (alias) {
      const files = { entryPoints: ['client.js'], outfile: 'client.js', allowOverwrite: true, absWorkingDir: folder };
      await build({ ...files, alias, bundle: true, format: 'esm', logLevel: 'error' });
    }
    return await import(module);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const tableOf = /^\| When \|.*\n(?:\|.*\n)*/m;

/**
 * Fails unless the page has what follows from the expectations of a client: the table in its section, and its line in
 * that of all clients.
 */
export async function assertDocumented(name, cases, sees) {
  const table = head + Object.entries(cases).map(([key, title]) => row(title, sees[key])).join('');
  await assertText(name, tableOf, table);
  await assertText('Any client', new RegExp(`^\\| \\[${name}\\]\\(.*\n`, 'm'), summary(name, sees));
}

/** Fails unless the table in the section of a client that subscribes has what follows from its expectations. */
export async function assertTable(name, cases, sees) {
  const rows = Object.entries(cases).map(([key, title]) => `| ${title} | ${cell(sees[key])} |\n`);
  await assertText(name, tableOf, shortHead + rows.join(''));
}

/** Fails unless the part of a section that matches the pattern is as expected. With REWRITE it becomes so. */
async function assertText(name, pattern, expected) {
  const text = await section(name);
  if (!process.env.REWRITE) return assert.equal(text.match(pattern)?.[0], expected);
  const all = await readFile(page, 'utf8');
  await writeFile(page, all.replace(text, () => text.replace(pattern, () => expected)));
}

function row(title, { status, ...expected }) {
  return `| ${title} | ${status ?? ''} | ${cell(expected)} |\n`;
}

const cell = (expected) => Object.entries(expected).map(describeSeen).join(', ').replaceAll('|', '\\|');

/** The line of a client in the table of all: where it has what a developer looks for. */
function summary(name, { partial, invalid, unauthenticated, throttled, down }) {
  const [data, code] = ['.user.name', '.extensions.code'];
  const where = (expected, end) => Object.keys(expected).find((expression) => expression.endsWith(end));
  assert.equal(where(throttled, code), where(unauthenticated, code));
  const places = [
    where(partial, data).replace(data, ''),
    ...[partial, invalid, unauthenticated].map((expected) => where(expected, code)),
    where(down, 'message'),
  ];
  const cells = places.map((place) => (place ? `\`${place}\`` : 'no code'));
  return `| [${name}](#${name.toLowerCase().replaceAll(' ', '-')}) | ${cells.join(' | ')} |\n`;
}
