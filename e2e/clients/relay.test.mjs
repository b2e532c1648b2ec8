// Uses the gateway as a Relay application does: operations and fragments of its compiler, its runtime and its store.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import relay from 'relay-runtime';
import { endpoint } from '../gateway.mjs';
import { globalId } from '../shop.mjs';
import { moduleIn } from './documented.mjs';
import { demoUser, newViewer } from './fixture.mjs';
import { compile } from './relay/compile.mjs';
import { notValid, operations, scenarios } from './scenarios.mjs';

const { commitMutation, createOperationDescriptor, fetchQuery } = relay;
const { getPaginationMetadata, getPaginationVariables, getSelector } = relay;

const artifacts = await compile(Object.values(operations));
const named = (text) => artifacts[text.match(/\w+ (\w+)/)[1]];
const compiled = Object.fromEntries(Object.entries(operations).map(([key, text]) => [key, named(text)]));
compiled.notValid = { ...compiled.profile, params: { ...compiled.profile.params, text: notValid } };

const name = 'Relay';

async function connect(to) {
  const { environment } = await moduleIn(name, to);
  return {
    environment,
    /** `error` is what a query's observer, or `onError` of a mutation, is called with. */
    run(name, variables) {
      const operation = compiled[name];
      return new Promise((resolve) => {
        const none = { data: undefined, error: undefined };
        const onError = (error) => resolve({ ...none, error });
        if (operation.params.operationKind === 'mutation') {
          const onCompleted = (data) => resolve({ ...none, data });
          commitMutation(environment, { mutation: operation, variables, onCompleted, onError });
        } else {
          fetchQuery(environment, operation, variables).subscribe({
            next: (data) => resolve({ ...none, data }),
            error: onError,
          });
        }
      });
    },
    cachedName: (id) => environment.getStore().getSource().get(id).name,
  };
}

/** Reads a fragment as `useFragment` does. */
const readFragment = (environment, fragment, ref) => environment.lookup(getSelector(fragment, ref)).data;

/** Loads pages as `usePaginationFragment` does: the connection in the store grows, `all` is what it has at the end. */
async function pages({ environment }, direction, { user, first, last }) {
  const { OrdersQuery, Orders_user } = artifacts;
  const { paginationRequest, paginationMetadata } = getPaginationMetadata(Orders_user, 'usePaginationFragment()');
  const variables = { user, first, last };
  const ref = (await fetchQuery(environment, OrdersQuery, variables).toPromise()).user;
  environment.retain(createOperationDescriptor(OrdersQuery, variables));

  const list = () => readFragment(environment, Orders_user, ref).orders;
  const ids = () => list().edges.map(({ node }) => node.id);
  const pages = [ids()];
  for (;;) {
    const { hasNextPage, endCursor, hasPreviousPage, startCursor } = list().pageInfo;
    if (direction === 'forwards' ? !hasNextPage : !hasPreviousPage) return { pages, all: ids() };
    const [towards, cursor] = direction === 'forwards' ? ['forward', endCursor] : ['backward', startCursor];
    const next = getPaginationVariables(towards, first ?? last, cursor, {}, {}, paginationMetadata);
    const before = ids();
    await fetchQuery(environment, paginationRequest, { ...next, id: user }).toPromise();
    const after = ids();
    pages.push(direction === 'forwards' ? after.slice(before.length) : after.slice(0, after.length - before.length));
  }
}

const mistake = (code) => ({ 'data.updateUser.userErrors[0].code': code });
const failed = (code) => ({ data: undefined, 'error.source.errors[0].extensions.code': code });
const ok = { error: undefined };

scenarios({
  name,
  connect,
  pages,
  sees: {
    query: { status: 200, 'data.user.name': 'Ada Lovelace', ...ok },
    partial: { status: 294, 'data.user.name': 'Ada Lovelace', 'data.user.orders': null, ...ok },
    forbidden: { status: 294, 'data.user.name': 'Ada Lovelace', 'data.user.email': null, ...ok },
    invalid: { status: 422, ...failed('GRAPHQL_VALIDATION_FAILED') },
    variable: { status: 422, ...failed('BAD_USER_INPUT') },
    costly: { status: 422, ...failed('COST_LIMIT'), 'error.message': /With first: \d+/ },
    unauthenticated: { status: 401, ...failed('UNAUTHENTICATED') },
    throttled: { status: 429, ...failed('RATE_LIMITED') },
    retried: { status: 200, 'data.nodes[0].__typename': 'User', ...ok },
    success: { status: 200, 'data.updateUser.user.version': 2, 'data.updateUser.userErrors': [], ...ok },
    mistake: { status: 200, 'data.updateUser.user': null, ...mistake('INVALID'), ...ok },
    conflict: { status: 200, 'data.updateUser.user.version': 2, ...mistake('CONFLICT'), ...ok },
    down: { status: null, data: undefined, 'error.message': 'fetch failed' },
  },
});

describe('fields of Relay that can fail', () => {
  let user;

  before(async () => {
    user = await demoUser();
  });

  test('@catch: the fragment has the error of the field, the rest its values', async () => {
    const { environment } = await connect({ url: endpoint });
    const data = await fetchQuery(environment, artifacts.ProfileQuery, { user: user.id }).toPromise();
    const profile = readFragment(environment, artifacts.Profile_user, data.user);
    assert.equal(profile.name, 'Ada Lovelace');
    assert.equal(profile.email.ok, false);
    assert.deepEqual(profile.email.errors, [{ extensions: { code: 'FORBIDDEN' } }]);
  });

  test('@required: what is missing is thrown', async () => {
    const { environment } = await connect({ url: endpoint });
    const absent = globalId('User', crypto.randomUUID());
    const query = fetchQuery(environment, artifacts.ProfileQuery, { user: absent }).toPromise();
    await assert.rejects(query, /Missing @required value at path 'user' in 'ProfileQuery'/);
  });

  test('@throwOnFieldError: the error of the field is thrown', async () => {
    const { environment } = await connect({ url: endpoint });
    const query = fetchQuery(environment, artifacts.ProfileStrictQuery, { user: user.id }).toPromise();
    await assert.rejects(query, /Unexpected response payload/);
  });
});

describe('the store of Relay', () => {
  test('is updated by refetching an object as a node', async () => {
    const { id, version, token } = await newViewer();
    const { environment } = await connect({ url: endpoint, token });
    const data = await fetchQuery(environment, artifacts.ProfileQuery, { user: id }).toPromise();
    const shown = () => readFragment(environment, artifacts.Profile_user, data.user).name;
    assert.equal(shown(), 'Grace Hopper');

    await (await connect({ url: endpoint, token })).run('rename', { input: { version, name: 'Amazing Grace' } });
    assert.equal(shown(), 'Grace Hopper');
    await fetchQuery(environment, artifacts.ProfileRefetchQuery, { id }).toPromise();
    assert.equal(shown(), 'Amazing Grace');
  });

  /** The names that a component shows while the mutation runs. */
  async function namesDuring({ id, version, token }, input) {
    const { environment } = await connect({ url: endpoint, token });
    const data = await fetchQuery(environment, artifacts.ProfileQuery, { user: id }).toPromise();
    const snapshot = environment.lookup(getSelector(artifacts.Profile_user, data.user));
    const names = [snapshot.data.name];
    environment.subscribe(snapshot, ({ data }) => names.push(data.name));
    await new Promise((resolve) => {
      commitMutation(environment, {
        mutation: compiled.rename,
        variables: { input: { version, ...input } },
        optimisticResponse: { updateUser: { user: { id, name: input.name, version: version + 1 }, userErrors: [] } },
        onCompleted: resolve,
        onError: resolve,
      });
    });
    return names;
  }

  test('shows the optimistic response, and afterwards what was stored', async () => {
    const user = await newViewer();
    const names = await namesDuring(user, { name: ' Amazing Grace ' });
    assert.deepEqual(names, ['Grace Hopper', ' Amazing Grace ', 'Amazing Grace']);
  });

  test('goes back to what is stored after a mutation with a mistake, and after one that is not executed', async () => {
    const user = await newViewer();
    assert.deepEqual(await namesDuring(user, { name: ' ' }), ['Grace Hopper', ' ', 'Grace Hopper']);
    const notExecuted = await namesDuring(user, { name: 'Amazing Grace', version: 'one' });
    assert.deepEqual(notExecuted, ['Grace Hopper', 'Amazing Grace', 'Grace Hopper']);
  });
});
