// Generates the types of the app's documents, and bundles the app. Both keep their results in memory until they are
// complete.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';
import { getIntrospectionQuery } from 'graphql';
import { codegen } from './codegen.mjs';

export const folder = fileURLToPath(new URL('.', import.meta.url));
const source = join(folder, 'src');
const generated = join(source, 'gql');
const stamp = join(generated, 'stamp');

/**
 * Writes src/gql if the schema of the gateway or a document has changed since it was written. The generator takes
 * seconds to load, so it is loaded only then.
 */
export async function generateTypes(gateway) {
  const current = createHash('sha256')
    .update(await schemaOf(gateway))
    .update(await sources())
    .digest('hex');
  if (current === (await readFile(stamp, 'utf8').catch(() => ''))) return;
  const { generate } = await import('@graphql-codegen/cli');
  const files = await generate({ ...codegen(gateway), cwd: folder, silent: true }, false);
  await mkdir(generated, { recursive: true });
  for (const { filename, content } of files) await replace(join(generated, basename(filename)), content);
  await replace(stamp, current);
}

async function schemaOf(gateway) {
  const response = await fetch(`${gateway}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const { data, errors } = await response.json();
  if (!data) throw new Error(`${gateway} does not show its schema: ${errors?.[0]?.message ?? response.status}`);
  return JSON.stringify(data);
}

async function sources() {
  const names = await readdir(source, { recursive: true });
  const ours = names.filter((name) => /\.tsx?$/.test(name) && !name.startsWith('gql')).sort();
  const texts = await Promise.all(
    [...ours.map((name) => join(source, name)), join(folder, 'codegen.mjs')].map((path) => readFile(path, 'utf8')),
  );
  return texts.join('\0');
}

/** Writes a file at once, because several test processes may do so at the same time. */
async function replace(path, content) {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}`);
  await writeFile(temporary, content);
  await rename(temporary, path);
}

/** Bundles the app. `rebuild` returns the files by their names; it is fast after the first time. */
export async function bundler() {
  const build = await context({
    entryPoints: [join(source, 'main.tsx')],
    outdir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxDev: true,
    sourcemap: 'linked',
    loader: { '.woff2': 'file' },
    assetNames: '[name]-[hash]',
    conditions: ['development'],
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'silent',
  });
  return {
    rebuild: async () =>
      new Map((await build.rebuild()).outputFiles.map(({ path, contents }) => [basename(path), contents])),
    dispose: () => build.dispose(),
  };
}
