// Pages through connections in both directions, and checks what each page says about itself.
import assert from 'node:assert/strict';
import { read } from './shop.mjs';

/**
 * A connection as a function from paging arguments to a page. `field` is the field with its arguments but those of
 * paging, such as `orders(createdAt: $createdAt)`; `within` is the selection around it, with `*` in its place.
 */
export function connection({ field, within = '*', declares = '', variables = {}, node = 'id', as }) {
  const paging = 'first: $first, after: $after, last: $last, before: $before';
  const withPaging = field.includes('(') ? field.replace(/\)$/, `, ${paging})`) : `${field}(${paging})`;
  const selection = `{
    edges { cursor node { ${node} } }
    nodes { ${node} }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }`;
  const declared = `${declares} $first: Int, $after: String, $last: Int, $before: String`;
  const query = `query (${declared}) { ${within.replace('*', `connection: ${withPaging} ${selection}`)} }`;
  return async (page) => {
    const data = await read(query, { ...variables, ...page }, { as });
    return data.connection ?? Object.values(data)[0].connection;
  };
}

/** More nodes than any connection of these tests has. */
const most = 5000;

/** All nodes of a connection in pages of one size, in the order of reading. Each page is checked. */
async function pageThrough(load, size, { forward }) {
  const nodes = [];
  for (let cursor; ;) {
    const arguments_ = forward ? { first: size, after: cursor } : { last: size, before: cursor };
    const { edges, nodes: same, pageInfo } = await load(arguments_);
    const where = `${JSON.stringify(arguments_)} has ${JSON.stringify(pageInfo)}`;
    assert.deepEqual(
      same,
      edges.map(({ node }) => node),
    );
    assert.equal(pageInfo.startCursor, edges.at(0)?.cursor ?? null, where);
    assert.equal(pageInfo.endCursor, edges.at(-1)?.cursor ?? null, where);
    assert.equal(forward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage, cursor !== undefined, where);
    assert.ok(edges.length > 0 || cursor === undefined, `nothing follows a page that says something does: ${where}`);
    const more = forward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
    nodes.push(...(forward ? same : same.toReversed()));
    if (!more) return nodes;
    assert.equal(edges.length, size, `a page that is not the last one is full: ${where}`);
    const next = forward ? pageInfo.endCursor : pageInfo.startCursor;
    assert.notEqual(next, cursor, `paging stands still: ${where}`);
    cursor = next;
    assert.ok(nodes.length <= most, `paging does not end: ${where}`);
  }
}

/** Asserts that a connection has exactly these nodes, in pages of each size, forwards and backwards. */
export async function assertPages(load, expected, sizes) {
  for (const size of sizes) {
    assert.deepEqual(await pageThrough(load, size, { forward: true }), expected, `forwards by ${size}`);
    assert.deepEqual(await pageThrough(load, size, { forward: false }), expected.toReversed(), `backwards by ${size}`);
  }
}
