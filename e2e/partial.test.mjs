// Responses with data and errors: the status depends on the media type that the client prefers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphQL, json, newUser, send } from './shop.mjs';

const query = 'query ($id: ID!, $first: Int!) { user(id: $id) { id name orders(first: $first) { nodes { id } } } }';

/** Everything of a response that a client sees first. */
const seen = async (variables, as, accept) => {
  const { status, headers, body } = await send(query, variables, { as, accept });
  return { status, type: headers.get('content-type').split(';')[0], body };
};

for (const [accept, type, partial] of [
  [graphQL, graphQL, 294],
  [`${graphQL}, ${json};q=0.9`, graphQL, 294],
  [`${graphQL};q=0.8, ${json}`, json, 200],
  [json, json, 200],
  ['*/*', json, 200],
]) {
  test(`data and errors with Accept: ${accept}`, async () => {
    const user = await newUser();
    const whole = await seen({ id: user.id, first: 1 }, user.as, accept);
    assert.deepEqual([whole.status, whole.type], [200, type]);
    assert.equal('errors' in whole.body, false);

    const { status, type: got, body } = await seen({ id: user.id, first: -1 }, user.as, accept);
    assert.deepEqual([status, got], [partial, type]);
    assert.deepEqual(body.data, { user: { id: user.id, name: user.name, orders: null } });
    assert.equal(body.errors.length, 1);
    assert.deepEqual(body.errors[0].path, ['user', 'orders']);
    assert.equal(body.errors[0].extensions.code, 'BAD_USER_INPUT');
    assert.ok(body.extensions.cost.readUnits > 0);

    const forbidden = await seen({ id: user.id, first: 1 }, {}, accept);
    assert.deepEqual([forbidden.status, forbidden.type], [partial, type]);
    assert.equal(forbidden.body.errors[0].extensions.code, 'FORBIDDEN');
  });
}

for (const [name, query, variables, code, status] of [
  ['a document that is not valid', '{ noSuchField }', {}, 'GRAPHQL_VALIDATION_FAILED', 422],
  ['a document that is no GraphQL', '{', {}, 'GRAPHQL_PARSE_FAILED', 400],
  [
    'a variable of the wrong type',
    'query ($n: Int!) { viewer { orders(first: $n) { nodes { id } } } }',
    { n: 'x' },
    'BAD_USER_INPUT',
    422,
  ],
  [
    'an operation that costs too much',
    '{ viewer { followers(first: 100) { nodes { followers(first: 100) { nodes { name } } } } } }',
    {},
    'COST_LIMIT',
    422,
  ],
]) {
  test(`${name} has no data, and the status that the client can handle`, async () => {
    const { as } = await newUser();
    for (const [accept, want] of [
      [graphQL, status],
      [json, 200], // with 4xx, such clients show the status alone
    ]) {
      const { status: got, body } = await send(query, variables, { as, accept });
      assert.equal(got, want);
      assert.equal('data' in body, false);
      assert.deepEqual(
        body.errors.map(({ extensions }) => extensions.code),
        [code],
      );
    }
  });
}
