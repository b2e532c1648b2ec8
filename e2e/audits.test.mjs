// Runs the server audits of graphql-http. They follow the draft of 2023; the specification's first edition (September
// 2026) has decided some points otherwise. The gateway follows the edition, and the draft for clients that accept only
// application/json.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverAudits } from 'graphql-http';
import { endpoint } from './gateway.mjs';

const malformed = 'Status Codes: a request that is not a well-formed GraphQL-over-HTTP request gets 422';
const coercion = 'Status Codes: variables that cannot be coerced get 422';

/** The audits that ask for what the edition does not want, with the section that says so. */
const superseded = {
  '86EE': coercion,
  '423L': malformed,
  LKJ0: malformed,
  LKJ1: malformed,
  LKJ2: malformed,
  LKJ3: malformed,
  '6C00': malformed,
  '6C01': malformed,
  '6C02': malformed,
  '6C03': malformed,
  4760: malformed,
  4761: malformed,
  4762: malformed,
  4763: malformed,
  '58B0': malformed,
  '58B1': malformed,
  '58B2': malformed,
  '58B3': malformed,
  '3E3A': malformed,
};

for (const { id, name, fn } of serverAudits({ url: endpoint })) {
  test(`${id} ${name}`, async () => {
    const { status, reason: failure } = await fn();
    if (superseded[id]) {
      assert.notEqual(status, 'ok', `the audit passes: take it off the list of those superseded by "${superseded[id]}"`);
    } else {
      assert.equal(status, 'ok', failure);
    }
  });
}

test('the superseded audits exist, and none of them is a MUST', () => {
  const names = new Map(serverAudits({ url: endpoint }).map(({ id, name }) => [id, name]));
  for (const id of Object.keys(superseded)) {
    assert.match(names.get(id) ?? 'missing', /^(SHOULD|MAY) /, id);
  }
});
