// docs/clients.md as the tests use it: the code of a client's section is what they run, and its table has what they
// expect and observe. With REWRITE=1 the tables are written, not compared; run one file at a time then.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../process.mjs';
import { describeSeen } from './seen.mjs';

const page = join(root, 'docs', 'clients.md');
const cache = join(root, 'e2e', 'node_modules', '.cache'); // where modules find their packages
const api = 'https://api.shop.example/graphql';
const head = '| When | Status | What you have |\n| --- | --- | --- |\n';

/** Returns the text of a section of the page, up to the next heading that is not below it. */
async function section(name) {
  const text = await readFile(page, 'utf8');
  const [heading, level] = text.match(new RegExp(`^(##+) ${name}\n`, 'm')) ?? [];
  assert.ok(heading, `docs/clients.md has no section "${name}"`);
  const [, after] = text.split(`\n${heading}`);
  return after.split(new RegExp(`^#{2,${level.length}} `, 'm'))[0];
}

/** Returns the first code of a section in a language. */
export async function codeIn(name, language) {
  const [, code] = (await section(name)).match(new RegExp('\n```' + language + '\n(.*?)\n```\n', 's')) ?? [];
  assert.ok(code, `the section "${name}" of docs/clients.md has no code in ${language}`);
  return code;
}

/** The code in the language of the shell, for a gateway at a URL. */
export const commandIn = async (name, url) => (await codeIn(name, 'sh')).replace(api, url);

/**
 * Returns what the module in a section exports, for a gateway at a URL and a token or none. Of the modules that it can
 * import, two have sections of their own, and `session.js` is the application's. With an alias for a package, all is
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

/** Fails unless the section of the client has exactly the table that follows from the expectations. */
export async function assertDocumented(name, cases, sees) {
  const expected = head + Object.entries(cases).map(([key, title]) => row(title, sees[key])).join('');
  const text = await section(name);
  const [table = ''] = text.match(/^\| When \|.*\n(?:\|.*\n)*/m) ?? [];
  if (process.env.REWRITE) {
    const all = await readFile(page, 'utf8');
    await writeFile(page, all.replace(text, () => text.replace(table, () => expected)));
  } else {
    assert.equal(table, expected);
  }
}

function row(title, { status, ...expected }) {
  const cell = Object.entries(expected).map(describeSeen).join(', ').replaceAll('|', '\\|');
  return `| ${title} | ${status ?? ''} | ${cell} |\n`;
}
