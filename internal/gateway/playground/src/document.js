// Finds fields of the document in the editor by their places. Lines and columns begin at 1.
import { parse } from 'graphql';

/** The operation's fields as { line, column, from, to, parents }: the part before the selection is from..to. */
export function fieldsOf(query) {
  let document;
  try {
    document = parse(query);
  } catch {
    return [];
  }
  const fields = [];
  const visit = (node, parents) => {
    const isField = node.kind === 'Field';
    const below = isField ? [...parents, fields.length] : parents;
    if (isField) {
      const { startToken } = node.loc;
      const last = node.directives?.at(-1) ?? node.arguments?.at(-1) ?? node.name;
      const closed = node.directives?.length === 0 && node.arguments?.length > 0;
      const end = closed ? query.indexOf(')', last.loc.end) + 1 : last.loc.end;
      const { line, column } = startToken;
      fields.push({ line, column, from: node.loc.start, to: end, end: node.loc.end, parents });
    }
    for (const child of node.selectionSet?.selections ?? []) visit(child, below);
  };
  for (const definition of document.definitions) visit(definition, []);
  return fields;
}

/** The fields around an offset, the innermost one first. */
export function fieldsAt(fields, offset) {
  return fields.filter(({ from, end }) => from <= offset && offset <= end).reverse();
}
