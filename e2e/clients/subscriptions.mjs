// What is done with each client that subscribes, and what is the same for all. What a developer sees is in the clients'
// own files, subscriptions-*.test.mjs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { endpoint } from '../gateway.mjs';
import { mutate, newUser, tokenOf, trustedFor } from '../shop.mjs';
import { assertTable } from './documented.mjs';
import { ownGateway } from './fixture.mjs';
import { assertSeen } from './seen.mjs';

globalThis.WebSocket ??= WebSocket; // as browsers have it; Node.js does since version 22

/** The operations. Relay's compiler wants names that begin with that of their module. */
export const subscriptions = {
  user: 'subscription ShopUserSubscription($user: ID!) { user(id: $user) { id name } }',
  email: 'subscription ShopEmailSubscription($user: ID!) { user(id: $user) { id name email } }',
};

/** A document that fits no schema of the shop. */
export const notValid = subscriptions.user.replace('id name', 'id nam');

/** The cases in the order of the tables in docs/how-to/clients.md, with their first cells there. */
const cases = {
  state: 'the first event: the state as it is',
  change: 'a change',
  forbidden: 'a field is not allowed',
  invalid: 'the subscription is not valid',
  unauthenticated: 'the token has expired',
  expires: 'the token expires meanwhile',
  stops: 'the gateway stops, and returns',
  dies: 'the gateway dies, and returns',
};

const mostEvents = 20; // until a client has what it waits for
const patience = { timeout: 60_000 }; // milliseconds

/**
 * Registers the tests of a client:
 *
 * - `name`: the heading of its section in docs/how-to/clients.md
 * - `connect({ url, token })`: a client as the section sets it up, with `subscribe(operation, variables, observer)`,
 *   which returns a function that ends the subscription. `observer` is called with what the developer has afterwards, an
 *   object of named values
 * - `nameIn(outcome)`: the name of the user in an event, if the client continues where it was
 * - `scope`: further names that the expressions of `sees` use
 * - `sees`: for each case expressions with their values
 */
export function scenarios({ name, connect, nameIn, scope = {}, sees }) {
  let own;

  before(async () => {
    own = await ownGateway({ READ_UNITS_BUCKET: '0' });
  });
  after(() => own?.remove());

  /** Subscribes, and returns the outcomes one after the other. */
  async function open(t, operation, user, { url = endpoint, token } = {}) {
    const client = await connect({ url, token });
    const outcomes = [];
    let wake;
    const observe = (outcome) => {
      outcomes.push(outcome);
      wake?.();
    };
    t.after(await client.subscribe(operation, { user: user.id }, observe));
    return async () => {
      while (outcomes.length === 0) await new Promise((resolve) => (wake = resolve));
      return outcomes.shift();
    };
  }

  const assertSees = (key, outcome) => assertSeen(sees[key], { ...outcome, ...scope });

  /** The first outcome that has what is expected. */
  async function eventually(key, next) {
    const expression = Object.keys(sees[key])[0];
    for (let i = 0; i < mostEvents; i++) {
      const outcome = await next();
      try {
        return assertSees(key, outcome);
      } catch (error) {
        if (outcome.isOver) throw error;
      }
    }
    assert.fail(`no event has ${expression}`);
  }

  const create = async (url) => {
    const user = await newUser({ name: 'Grace Hopper', url });
    return { ...user, token: await tokenOf(user.id) };
  };
  const rename = ({ version, as }, name, url) =>
    mutate(
      'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { version } } }',
      { version, name },
      as,
      { url },
    );

  describe(name, () => {
    test('each case has an expectation, and docs/how-to/clients.md shows them', async () => {
      assert.deepEqual(Object.keys(sees), Object.keys(cases));
      await assertTable(name, cases, sees);
    });

    test(`${cases.state}, and ${cases.change}`, patience, async (t) => {
      const user = await create();
      const next = await open(t, 'user', user, user);
      assertSees('state', await next());
      await rename(user, 'Amazing Grace');
      assertSees('change', await next());
    });

    test(cases.forbidden, patience, async (t) => {
      const next = await open(t, 'email', await create());
      assertSees('forbidden', await next());
    });

    test(cases.invalid, patience, async (t) => {
      const user = await create();
      const next = await open(t, 'notValid', user, user);
      assertSees('invalid', await next());
    });

    test(cases.unauthenticated, patience, async (t) => {
      const user = await create();
      const token = await tokenOf(user.id, { claims: { exp: Math.floor(Date.now() / 1000) - 60 } });
      const next = await open(t, 'user', user, { token });
      assertSees('unauthenticated', await next());
    });

    test(cases.expires, patience, async (t) => {
      const user = await create(own.endpoint);
      const token = await tokenOf(user.id, { claims: { exp: trustedFor(5) } });
      const next = await open(t, 'user', user, { url: own.endpoint, token });
      assertSees('state', await next());
      assertSees('expires', await next());
    });

    for (const [key, signal] of [
      ['stops', 'SIGTERM'],
      ['dies', 'SIGKILL'],
    ]) {
      test(cases[key], patience, async (t) => {
        const user = await create(own.endpoint);
        const next = await open(t, 'user', user, { url: own.endpoint, token: user.token });
        assertSees('state', await next());
        await own.stop(signal);
        await own.start();
        await rename(user, 'Amazing Grace', own.endpoint);
        await eventually(key, next);
      });
    }

    const continues = nameIn ? test : () => {};
    continues('the client continues where it was, and sees each change once', patience, async (t) => {
      const user = await create(own.endpoint);
      const next = await open(t, 'user', user, { url: own.endpoint, token: user.token });
      assert.equal(nameIn(await next()), 'Grace Hopper');
      await rename(user, 'Grace', own.endpoint);
      assert.equal(nameIn(await next()), 'Grace');
      await own.stop('SIGKILL');
      await own.start();
      const names = ['Rear Admiral Hopper', 'Grace B. M. Hopper', 'Amazing Grace'];
      for (const [i, name] of names.entries()) await rename({ ...user, version: i + 2 }, name, own.endpoint);
      for (const name of names) assert.equal(nameIn(await next()), name);
    });
  });
}
