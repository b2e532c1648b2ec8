// Compares how a part of a page looks with its picture in looks. REWRITE=1 writes the pictures:
//
//   REWRITE=1 node e2e/run.mjs e2e/watch.test.mjs e2e/picture.test.mjs
//
// Both are made smaller first, so that a letter is a shade, and all text has a font of the tests: other fonts of a machine,
// and how a browser draws the edges of letters, make no difference. What is missing, elsewhere, or of another colour does.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { root } from './process.mjs';

const folder = join(root, 'e2e/looks');
const scale = 4; // pixels of the page, in each direction, that become one
const most = 0.003; // of the pixels may differ

/** The argument of `launch` with which letters have the same widths in all browsers. */
export const sameWidths = '--font-render-hinting=none';

/** Fails if a part of a page looks other than its picture. */
export async function assertLooks(part, name) {
  await setFont(part.page());
  await part.page().mouse.move(0, 0); // nothing looks as what is pointed at
  const shown = smaller(PNG.sync.read(await part.screenshot({ animations: 'disabled' })));
  const path = join(folder, `${name}.png`);
  if (process.env.REWRITE) return writeFile(path, PNG.sync.write(shown));
  const wanted = PNG.sync.read(await readFile(path));
  const { width, height } = shown;
  const sizes = [width, height, wanted.width, wanted.height].join(' ');
  const hasSize = width === wanted.width && height === wanted.height;
  const differing = hasSize ? pixelmatch(wanted.data, shown.data, undefined, width, height, { threshold: 0.1, includeAA: true }) : Infinity;
  if (differing <= most * width * height) return undefined;
  const file = join(await mkdtemp(join(tmpdir(), 'partita-looks-')), `${name}.png`);
  await writeFile(file, PNG.sync.write(shown));
  assert.fail(`${file} looks other than ${path}: ${differing} pixels differ (${sizes}); e2e/looks.mjs says how to rewrite it`);
}

/** The average of each square of pixels. */
function smaller(picture) {
  const width = Math.floor(picture.width / scale);
  const height = Math.floor(picture.height / scale);
  const small = new PNG({ width, height });
  const sums = new Float64Array(small.data.length);
  for (let y = 0; y < height * scale; y++) {
    for (let x = 0; x < width * scale; x++) {
      const to = 4 * (Math.floor(y / scale) * width + Math.floor(x / scale));
      for (let c = 0; c < 4; c++) sums[to + c] += picture.data[4 * (y * picture.width + x) + c];
    }
  }
  small.data.set(sums.map((sum) => Math.round(sum / scale ** 2)));
  return small;
}

const font = createRequire(import.meta.url).resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2');

/** Gives all text of a page the font, if it follows the fonts of the pages. */
async function setFont(page) {
  await page.evaluate(
    async (text) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      document.fonts.add(await new FontFace('looks', bytes, { weight: '300 900' }).load());
      for (const name of ['--sans', '--mono']) document.documentElement.style.setProperty(name, 'looks');
      await document.fonts.ready;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    },
    (await readFile(font)).toString('base64'),
  );
}
