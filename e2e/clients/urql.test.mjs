// Uses the gateway as a frontend with urql does: the exchanges of its core, a document cache.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint } from '../gateway.mjs';
import { moduleIn } from './documented.mjs';
import { newViewer, recordingFetch } from './fixture.mjs';
import { pageByPage } from './paging.mjs';
import { notValid, operations, scenarios } from './scenarios.mjs';

const name = 'urql';
const texts = { ...operations, notValid };

async function connect(to) {
  const { client } = await moduleIn(name, to);
  return {
    client,
    async run(operation, variables) {
      const { data, error } = texts[operation].startsWith('mutation')
        ? await client.mutation(texts[operation], variables)
        : await client.query(texts[operation], variables, { requestPolicy: 'network-only' });
      return { data, error };
    },
  };
}

const mistake = (code) => ({ 'data.updateUser.userErrors[0].code': code });
const failed = (code) => ({ 'error.graphQLErrors[0].extensions.code': code });
const header = (name, value) => ({ [`error.response.headers.get("${name}")`]: value });
const expired = header('www-authenticate', /invalid_token.*expired/);
const ok = { error: undefined };

scenarios({
  name,
  connect,
  pages: ({ run }, ...rest) => pageByPage(run, ...rest),
  sees: {
    query: { status: 200, 'data.user.name': 'Ada Lovelace', ...ok },
    partial: { status: 294, 'data.user.name': 'Ada Lovelace', 'data.user.orders': null, ...failed('BAD_USER_INPUT') },
    forbidden: { status: 294, 'data.user.name': 'Ada Lovelace', 'data.user.email': null, ...failed('FORBIDDEN') },
    invalid: { status: 422, data: undefined, ...failed('GRAPHQL_VALIDATION_FAILED') },
    variable: { status: 422, data: undefined, ...failed('BAD_USER_INPUT') },
    costly: { status: 422, data: undefined, ...failed('COST_LIMIT'), 'error.message': /With first: \d+/ },
    unauthenticated: { status: 401, data: undefined, ...failed('UNAUTHENTICATED'), ...expired },
    throttled: { status: 429, data: undefined, ...failed('RATE_LIMITED'), ...header('retry-after', /^\d+$/) },
    retried: { status: 200, 'data.nodes[0].__typename': 'User', ...ok },
    success: { status: 200, 'data.updateUser.user.version': 2, 'data.updateUser.userErrors': [], ...ok },
    mistake: { status: 200, 'data.updateUser.user': null, ...mistake('INVALID'), ...ok },
    conflict: { status: 200, 'data.updateUser.user.version': 2, ...mistake('CONFLICT'), ...ok },
    down: { status: null, data: undefined, 'error.networkError.message': 'fetch failed' },
  },
});

test('the document cache of urql asks again after a mutation of the same type', async () => {
  const { id, version, token } = await newViewer();
  let sent = 0;
  globalThis.fetch = recordingFetch(() => sent++);
  const { client, run } = await connect({ url: endpoint, token });
  const shown = async () => (await client.query(operations.profile, { user: id })).data.user.name;

  assert.deepEqual([await shown(), await shown(), sent], ['Grace Hopper', 'Grace Hopper', 1]);
  await run('rename', { input: { version, name: 'Amazing Grace' } });
  assert.deepEqual([await shown(), sent], ['Amazing Grace', 3]);
});
