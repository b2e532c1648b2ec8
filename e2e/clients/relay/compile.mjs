// Compiles the application in this folder, and further operations, as the build of a Relay application does: with
// relay-compiler, against the schema of the running gateway.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { root } from '../../process.mjs';
import { ask } from '../../shop.mjs';

const run = promisify(execFile);
const compiler = createRequire(import.meta.url).resolve('relay-compiler/cli.js');

/** Returns the compiled operations and fragments by their names, given the texts of operations of a module `Shop`. */
export async function compile(texts) {
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache', 'relay-'));
  try {
    const source = join(folder, 'src');
    const artifacts = join(source, '__generated__');
    await cp(import.meta.dirname, source, { recursive: true, filter: (path) => !path.endsWith('.mjs') });
    await mkdir(artifacts);
    await writeFile(join(source, 'Shop.js'), texts.map((text) => `graphql\`${text}\`;\n`).join(''));
    const data = await ask(getIntrospectionQuery());
    await writeFile(join(folder, 'schema.graphql'), printSchema(buildClientSchema(data)));
    const output = { language: 'javascript', artifactDirectory: 'src/__generated__' };
    const config = JSON.stringify({ src: 'src', schema: 'schema.graphql', ...output });
    await writeFile(join(folder, 'relay.config.json'), config);
    await run(process.execPath, [compiler, 'relay.config.json'], { cwd: folder }).catch(({ stdout, stderr }) => {
      throw new Error(`relay-compiler: ${stdout}${stderr}`);
    });

    const names = (await readdir(artifacts)).map((file) => file.replace('.graphql.js', ''));
    const entry = names.map((name) => `export { default as ${name} } from './src/__generated__/${name}.graphql.js';\n`);
    await writeFile(join(folder, 'all.js'), entry.join(''));
    await build({
      entryPoints: [join(folder, 'all.js')],
      outfile: join(folder, 'all.mjs'),
      bundle: true,
      format: 'esm',
      logLevel: 'error',
    });
    return await import(join(folder, 'all.mjs'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
