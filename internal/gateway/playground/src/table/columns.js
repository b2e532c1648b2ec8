// Which attributes of items are columns.
import { useContext } from 'react';
import { Page } from './key.jsx';

/**
 * The names of the attributes of items of one type: as in the schema, then others, and last what the keys have, too.
 * Undefined if there are several types.
 */
export function useColumns(items) {
  const { design } = useContext(Page);
  const types = new Set(items.map(({ type }) => type));
  if (types.size !== 1) return undefined;
  const names = new Set(items.flatMap(({ attributes }) => attributes.filter(({ key }) => !key).map(({ name }) => name)));
  const isInKeys = (name) => items.every((item) => textsOf(item).has(attributeOf(item, name)?.value));
  const all = inOrder(design, [...types][0], [...names]);
  return [...all.filter((name) => !isInKeys(name)), ...all.filter(isInKeys)];
}

/** The texts in the primary key of an item, and in the key of its entry. */
export const textsOf = ({ pk, sk, entries = [] }) =>
  new Set([pk, sk, ...entries.flatMap((entry) => [entry.pk, entry.sk])].flatMap(({ parts }) => parts.map(({ text }) => text)));

/** Names of attributes of a type: first those of the schema, in its order. */
export function inOrder({ types }, type, names) {
  const known = types.find(({ name }) => name === type)?.attributes ?? [];
  return [...known.filter((name) => names.includes(name)), ...names.filter((name) => !known.includes(name))];
}

/** The attribute of an item with a stored name. */
export const attributeOf = ({ attributes }, wanted) => attributes.find(({ name }) => name === wanted);
