// The deliberate defects, and how they change the text of files.
import { gatewayDefects } from './gateway.mjs';
import { liveDefects } from './live.mjs';
import { pagesDefects } from './pages.mjs';
import { storefrontDefects } from './storefront.mjs';

export const defects = [...gatewayDefects, ...liveDefects, ...pagesDefects, ...storefrontDefects];

/** The files of all changes, with the text that each has after the changes of these defects. */
export function changed(list, read) {
  const texts = new Map();
  for (const { name, changes } of list) {
    for (const { file, find, replace } of changes) {
      const text = texts.get(file) ?? read(file);
      const places = text.split(find).length - 1;
      if (places !== 1) throw new Error(`${name}: ${file} has ${places} places, not one, with\n${find}`);
      texts.set(
        file,
        text.replace(find, () => replace),
      );
    }
  }
  return texts;
}
