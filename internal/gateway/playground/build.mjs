// Bundles the pages, the playground, the table and the figures, into internal/gateway/playground/dist, from where the gateway embeds and serves
// them. Every asset carries a hash of its content in its name; each page, a Go template, links the two that it loads first.
import { build } from 'esbuild';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = join(here, 'dist');
const assets = join(dist, 'assets');

const workers = {
  WORKER_EDITOR: 'monaco-editor/esm/vs/editor/editor.worker.js',
  WORKER_JSON: 'monaco-editor/esm/vs/language/json/json.worker.js',
  WORKER_GRAPHQL: 'monaco-graphql/esm/graphql.worker.js',
};

/** The pages in dist, each with its script and its title. */
const pages = {
  'index.html': { entry: 'src/main.jsx', title: 'Playground' },
  'figures.html': { entry: 'src/figures/figures.jsx', title: 'Figures' },
  'table.html': { entry: 'src/table/table.jsx', title: 'Table' },
};

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  metafile: true,
  outdir: assets,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
};

/**
 * Names that people hear, or see when they point at something, which GraphiQL has wrong: those of icons are made from
 * functions, of which minifying leaves one letter, and all buttons of the history have the same.
 */
const names = [
  {
    file: /@graphiql\/react\/dist\/icons\/index\.js$/,
    replace: [
      [/generateIcon\((Svg\w+)\);/g, 'generateIcon($1, "$1");'],
      ['function generateIcon(RawComponent)', 'function generateIcon(RawComponent, componentName)'],
      ['RawComponent.name', 'componentName'],
    ],
  },
  {
    file: /@graphiql\/plugin-history\/dist\/components\.js$/,
    replace: [['"aria-label": "Set active", children: displayName', 'children: displayName']],
  },
];

const correctNames = {
  name: 'correct-names',
  setup({ onLoad }) {
    for (const { file, replace } of names) {
      onLoad({ filter: file }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        for (const [wrong, right] of replace) {
          if (contents.replace(wrong, right) === contents) throw new Error(`${path} does not have ${wrong}`);
          contents = contents.replace(wrong, right);
        }
        return { contents };
      });
    }
  },
};

/** Finds the file that was built from an entry point; dynamic imports are entry points of esbuild, too. */
function output(result, entry) {
  const [path] = Object.entries(result.metafile.outputs).find(([, o]) => o.entryPoint?.endsWith(entry));
  return path;
}

async function buildWorker([constant, entry]) {
  const result = await build({ ...common, entryPoints: [entry], format: 'iife' });
  return [constant, JSON.stringify(`/assets/${basename(output(result, entry))}`)];
}

async function clean() {
  for (const name of await readdir(dist)) {
    if (name !== '.gitignore') await rm(join(dist, name), { recursive: true });
  }
}

await clean();
const workerFiles = Object.fromEntries(await Promise.all(Object.entries(workers).map(buildWorker)));
const page = await build({
  ...common,
  entryPoints: Object.values(pages).map(({ entry }) => entry),
  format: 'esm',
  splitting: true,
  jsx: 'automatic',
  plugins: [correctNames],
  loader: { '.ttf': 'file', '.woff2': 'file', '.svg': 'file' },
  define: { ...common.define, ...workerFiles },
});
const template = await readFile(join(here, 'src/page.html'), 'utf8');
for (const [name, { entry, title }] of Object.entries(pages)) {
  const script = output(page, entry);
  const values = { TITLE: title, STYLE: basename(page.metafile.outputs[script].cssBundle), SCRIPT: basename(script) };
  await writeFile(join(dist, name), template.replace(/TITLE|STYLE|SCRIPT/g, (name) => values[name]));
}

// The gateway sends the compressed copies instead of compressing an asset for each visitor.
for (const name of await readdir(assets)) {
  const path = join(assets, name);
  const compressed = gzipSync(await readFile(path), { level: constants.Z_BEST_COMPRESSION });
  if (compressed.length < 0.9 * (await stat(path)).size) await writeFile(`${path}.gz`, compressed);
}

const bytes = Object.values(page.metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
console.log(`playground: ${(bytes / 2 ** 20).toFixed(1)} MiB plus workers in ${dist}`);
