// A caller who has used up the budget is told when to come again. The gateway has a small budget.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startOwn } from './process.mjs';
import { globalId, graphQL, json, newUser, send } from './shop.mjs';

const maximum = 60; // read units; createUser is estimated at 8 write units, which count as 40
const restore = 60; // read units in a second
const budget = {
  READ_UNITS_BUCKET: String(maximum),
  READ_UNITS_RESTORE: String(restore),
  ANONYMOUS_MUTATIONS_PER_MINUTE: '2',
};

let gateway, url;

before(async () => {
  gateway = await startOwn(budget);
  url = `${gateway.url}/graphql`;
});

after(() => gateway?.remove());

/** Selects something of 40 users. */
const ofUsers = (selection) => {
  const user = (i) => `u${i}: user(id: "${globalId('User', `nobody ${i}`)}") { ${selection} }`;
  return `{ ${Array.from({ length: 40 }, (_, i) => user(i)).join(' ')} }`;
};

/**
 * An operation that consumes what it may cost: there are no such users, and a missing item costs a unit. Twenty of them
 * take 800 units, more than what is restored meanwhile even on a busy machine.
 */
const costly = ofUsers('name');

const sendCostly = ({ as, ...options }) =>
  send(costly, {}, { as: { ...as, 'partita-consistency': 'strong' }, ...options });

/** Sends the operation until the budget is used up, and gives the responses that say so. */
async function usedUp(options) {
  for (let attempt = 1; attempt <= 10; attempt++) {
    const responses = await Promise.all(Array.from({ length: 20 }, () => sendCostly(options)));
    const limited = responses.filter(({ status }) => status !== 200);
    if (limited.length > 0) return limited;
  }
  return assert.fail('the budget is never used up');
}

for (const accept of [graphQL, json]) {
  test(`the budget is used up, and there again after Retry-After, with ${accept}`, async () => {
    const { as } = await newUser({ url });
    const options = { as, accept, url };
    const limited = await usedUp(options);
    for (const { status, headers, body } of limited) {
      assert.equal(status, 429);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.match(headers.get('retry-after'), /^[1-9]\d*$/);
      assert.equal('data' in body, false);
      assert.deepEqual(
        body.errors.map(({ extensions }) => extensions.code),
        ['RATE_LIMITED'],
      );
      const { maximumAvailable, currentlyAvailable, restoreRate } = body.extensions.cost.throttleStatus;
      assert.deepEqual([maximumAvailable, restoreRate], [maximum, restore]);
      assert.ok(currentlyAvailable < maximum, currentlyAvailable);
    }
    // The rejected attempts have cost nothing, and no other caller has this budget.
    const seconds = Math.max(...limited.map(({ headers }) => Number(headers.get('retry-after'))));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const { status, body } = await sendCostly(options);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.data.u0, null);
  });
}

test("one caller's budget is not another's", async () => {
  const [user, other] = [await newUser({ url }), await newUser({ url })];
  await usedUp({ as: user.as, url });
  assert.equal((await sendCostly({ as: other.as, url })).status, 200);
});

test('an operation that is larger than the whole budget is rejected for its cost', async () => {
  const { status, headers, errors } = await send(ofUsers('orders(first: 20) { nodes { id } }'), {}, { url });
  assert.equal(status, 422);
  assert.equal(headers.get('retry-after'), null);
  assert.equal(errors[0].extensions.code, 'COST_LIMIT');
  assert.match(errors[0].message, new RegExp(`${maximum} is the most that a caller can have`));
});

test('mutations without a token have a limit of their own', async () => {
  // What it costs is within the budget, so that the limit of mutations is what is left.
  const mutation = 'mutation { followUser(input: { followeeId: "" }) { userErrors { code } } }';
  const responses = await Promise.all([1, 2, 3, 4, 5].map(() => send(mutation, {}, { url })));
  const limited = responses.filter(({ status }) => status === 429);
  assert.ok(limited.length > 0, JSON.stringify(responses.map(({ status }) => status)));
  for (const { headers, errors } of limited) {
    assert.match(headers.get('retry-after'), /^[1-9]\d*$/);
    assert.equal(errors[0].extensions.code, 'RATE_LIMITED');
    assert.match(errors[0].message, /without a token/);
  }
});
