// Uses the gateway as a program with graphql-request does.
import { ClientError } from 'graphql-request';
import { moduleIn } from './documented.mjs';
import { pageByPage } from './paging.mjs';
import { notValid, operations, scenarios } from './scenarios.mjs';

const name = 'graphql-request';

async function connect(to) {
  const { client } = await moduleIn(name, to);
  return {
    /** The promise of `request` has the data, or is rejected. */
    async run(operation, variables) {
      try {
        return { data: await client.request({ ...operations, notValid }[operation], variables), error: undefined };
      } catch (error) {
        return { data: undefined, error };
      }
    },
  };
}

const expired = /invalid_token.*expired/;
const mistake = (code) => ({ 'data.updateUser.userErrors[0].code': code });
const failed = (code) => ({ 'error instanceof ClientError': true, 'error.response.errors[0].extensions.code': code });
const header = (name, value) => ({ [`error.response.headers.get("${name}")`]: value });
const rejected = (status, code) => ({ ...failed(code), 'error.response.status': status });

scenarios({
  name,
  connect,
  pages: ({ run }, ...rest) => pageByPage(run, ...rest),
  scope: { ClientError },
  sees: {
    query: { status: 200, 'data.user.name': 'Ada Lovelace' },
    partial: { status: 294, ...failed('BAD_USER_INPUT'), 'error.response.data.user.name': 'Ada Lovelace' },
    forbidden: { status: 294, ...failed('FORBIDDEN'), 'error.response.data.user.name': 'Ada Lovelace' },
    invalid: { status: 422, ...failed('GRAPHQL_VALIDATION_FAILED') },
    variable: { status: 422, ...failed('BAD_USER_INPUT') },
    costly: { status: 422, ...failed('COST_LIMIT'), 'error.response.errors[0].message': /With first: \d+/ },
    unauthenticated: { status: 401, ...rejected(401, 'UNAUTHENTICATED'), ...header('www-authenticate', expired) },
    throttled: { status: 429, ...rejected(429, 'RATE_LIMITED'), ...header('retry-after', /^\d+$/) },
    retried: { status: 200, 'data.nodes[0].__typename': 'User' },
    success: { status: 200, 'data.updateUser.user.version': 2, 'data.updateUser.userErrors': [] },
    mistake: { status: 200, 'data.updateUser.user': null, ...mistake('INVALID') },
    conflict: { status: 200, 'data.updateUser.user.version': 2, ...mistake('CONFLICT') },
    down: { status: null, 'error.message': 'fetch failed' },
  },
});
