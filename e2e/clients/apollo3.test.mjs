// Uses the gateway as a frontend with Apollo Client 3 does, which accepts any media type.
import apollo from 'apollo-client-3';
import { fetchAll } from './apollo.mjs';
import { moduleIn } from './documented.mjs';
import { notValid, operations, scenarios } from './scenarios.mjs';

const { gql } = apollo;
const name = 'Apollo Client 3';
const texts = Object.entries({ ...operations, notValid });
const documents = Object.fromEntries(texts.map(([key, text]) => [key, gql(text)]));

async function connect(to) {
  const { client } = await moduleIn(name, to, { '@apollo/client': 'apollo-client-3' });
  return {
    client,
    /** With errorPolicy `all`, a result has errors as `errors`; network errors are thrown. */
    async run(operation, variables) {
      const document = documents[operation];
      const isMutation = document.definitions[0].operation === 'mutation';
      const none = { data: undefined, errors: undefined, error: undefined };
      try {
        const { data, errors } = isMutation
          ? await client.mutate({ mutation: document, variables })
          : await client.query({ query: document, variables, fetchPolicy: 'network-only' });
        return { ...none, data, errors };
      } catch (error) {
        return { ...none, error };
      }
    },
    cachedName: (id) => client.readFragment({ id: `User:${id}`, fragment: gql('fragment Name on User { name }') }).name,
  };
}

const expired = /invalid_token.*expired/;
const mistake = (code) => ({ 'data.updateUser.userErrors[0].code': code });
const failed = (code) => ({ 'errors[0].extensions.code': code });
const rejected = (status, code) => ({
  data: undefined,
  'error.networkError.statusCode': status,
  'error.networkError.result.errors[0].extensions.code': code,
});
const header = (name, value) => ({ [`error.networkError.response.headers.get("${name}")`]: value });
const ok = { errors: undefined };

scenarios({
  name,
  connect,
  pages: ({ client }, direction, variables) => fetchAll(client, documents[direction], direction, variables),
  sees: {
    query: { status: 200, 'data.user.name': 'Ada Lovelace', ...ok },
    partial: { status: 200, 'data.user.name': 'Ada Lovelace', 'data.user.orders': null, ...failed('BAD_USER_INPUT') },
    forbidden: { status: 200, 'data.user.name': 'Ada Lovelace', 'data.user.email': null, ...failed('FORBIDDEN') },
    invalid: { status: 200, data: undefined, ...failed('GRAPHQL_VALIDATION_FAILED') },
    variable: { status: 200, data: undefined, ...failed('BAD_USER_INPUT') },
    costly: { status: 200, data: undefined, ...failed('COST_LIMIT'), 'errors[0].message': /With first: \d+/ },
    unauthenticated: { status: 401, ...rejected(401, 'UNAUTHENTICATED'), ...header('www-authenticate', expired) },
    throttled: { status: 429, ...rejected(429, 'RATE_LIMITED'), ...header('retry-after', /^\d+$/) },
    retried: { status: 200, 'data.nodes[0].__typename': 'User', ...ok },
    success: { status: 200, 'data.updateUser.user.version': 2, 'data.updateUser.userErrors': [], ...ok },
    mistake: { status: 200, 'data.updateUser.user': null, ...mistake('INVALID'), ...ok },
    conflict: { status: 200, 'data.updateUser.user.version': 2, ...mistake('CONFLICT'), ...ok },
    down: { status: null, data: undefined, 'error.networkError.message': 'fetch failed' },
  },
});
