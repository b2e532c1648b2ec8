// The shop as a subgraph: its schema is composed with those of others, and a router asks for its entities.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { root, startOwn } from '../process.mjs';
import { reviewsSubgraph } from './reviews.mjs';
import { compose, sdlOf, startRouter } from './router.mjs';

const run = promisify(execFile);
const program = async (...args) => (await run(join(root, 'bin', 'partita'), args)).stdout;
const tokenOf = async (user, ...flags) => `Bearer ${(await program('token', user, ...flags)).trim()}`;

const folder = join(root, 'examples', 'teams');

let shop, teams, admin, ada, orders, reviews, router;

/** Starts a gateway as a subgraph, and reads its schema. */
async function subgraph(name, args) {
  const gateway = await startOwn({ FEDERATION: 'true' }, ['serve', ...args]);
  const endpoint = `${gateway.url}/graphql`;
  return { name, gateway, endpoint, sdl: await sdlOf(endpoint) };
}

before(async () => {
  [shop, teams, admin] = await Promise.all([subgraph('shop', []), subgraph('teams', [folder]), tokenOf('demo', '--role=ADMIN')]);
  const alone = await startRouter([shop]);
  const page = 'ordersByStatus(status: PENDING, first: 50) { nodes { id userId } }';
  const found = await alone.ask(`{ viewer { id } ${page} }`, { authorization: admin });
  await alone.stop();
  ada = found.data.viewer.id;
  orders = found.data.ordersByStatus.nodes;
  assert.equal(orders.length, 50);
  reviews = { name: 'reviews', ...reviewsSubgraph(orders.map(({ id, userId }, i) => ({ stars: 1 + (i % 5), author: userId, order: id }))) };
  router = await startRouter([shop, reviews]);
});

after(async () => {
  await router?.stop();
  for (const started of [shop, teams]) await started?.gateway.remove();
});

const weighty = ({ definition }) => definition.level.name !== 'DEBUG' && definition.level.name !== 'INFO';

test('the schema of the subgraph is the one to publish', async () => {
  assert.equal(await program('design', '--format=federation'), shop.sdl);
  assert.equal(await program('design', '--format=federation', folder), teams.sdl);
});

test('it is composed with that of another team', () => {
  const { errors, hints, supergraphSdl } = compose([shop, reviews]);
  assert.equal(errors, undefined);
  assert.deepEqual(hints.filter(weighty).map(({ message }) => message), []);
  const user = supergraphSdl.match(/^type User\b[^{]*\{[^}]*\}/m)[0];
  assert.match(user, /@join__type\(graph: REVIEWS, key: "id"\)/);
  assert.match(user, /@join__type\(graph: SHOP, key: "id"\)/);
});

test('what it costs is known to the router', () => {
  const { supergraphSdl } = compose([shop, reviews]);
  const line = (start) => supergraphSdl.split('\n').find((text) => text.trim().startsWith(start));
  assert.match(line('): OrdersByStatusConnection'), /@cost\(weight: 4\)/);
  assert.match(line('): OrdersByStatusConnection'), /@listSize\(assumedSize: 10, slicingArguments: \["first", "last"\], sizedFields: \["edges", "nodes"\]/);
  assert.match(line('): FollowUserPayload'), /@cost\(weight: 160\)/);
});

test('two Partitas are composed, and answer together', async () => {
  const { errors, hints } = compose([shop, teams]);
  assert.equal(errors, undefined);
  // The shop describes what both have in words of its own.
  assert.deepEqual([...new Set(hints.filter(weighty).map(({ definition }) => definition.code))], ['INCONSISTENT_DESCRIPTION']);
  const both = await startRouter([shop, teams]);
  const red = Buffer.from('Team:red').toString('base64url');
  const answer = await both.ask(`{ viewer { name } team(id: "${red}") { name members(first: 2) { nodes { name } } } }`, { authorization: admin });
  await both.stop();
  assert.deepEqual(answer.errors, []);
  assert.equal(answer.data.viewer.name, 'Ada Lovelace');
  assert.equal(answer.data.team.name, 'Red');
  assert.equal(answer.data.team.members.nodes.length, 2);
  assert.equal(answer.answers.length, 2);
});

test('entities of a list are one request', async () => {
  const { data, errors, answers } = await router.ask('{ reviews { stars order { id itemCount status } } }', { authorization: admin });
  assert.deepEqual(errors, []);
  assert.deepEqual(data.reviews.map(({ order }) => order.id), orders.map(({ id }) => id));
  assert.ok(data.reviews.every(({ order }) => order.status === 'PENDING' && order.itemCount > 0));
  assert.equal(answers.length, 1);
  assert.equal(answers[0].variables.representations.length, 50);
  assert.equal(answers[0].cost.requests, 1);
  assert.equal(answers[0].cost.waves, 1);
});

test('another team adds to what a field of the shop returns', async () => {
  const query = '{ viewer { name reviews { stars } } ordersByStatus(status: PENDING, first: 3) { nodes { id customer { name } reviews { stars } } } }';
  const { data, errors } = await router.ask(query, { authorization: admin });
  assert.deepEqual(errors, []);
  assert.equal(data.viewer.name, 'Ada Lovelace');
  assert.deepEqual(data.ordersByStatus.nodes.map(({ id }) => id), orders.slice(0, 3).map(({ id }) => id));
  assert.deepEqual(data.ordersByStatus.nodes.map((order) => order.reviews), [[{ stars: 1 }], [{ stars: 2 }], [{ stars: 3 }]]);
  assert.ok(data.ordersByStatus.nodes.every(({ customer }) => customer.name));
});

test('the shop decides who sees an entity', async () => {
  const [{ userId }] = orders;
  const { data, errors, answers } = await router.ask('{ reviews { author { id name email } order { id status } } }', {
    authorization: await tokenOf(userId),
  });
  const isMine = data.reviews.map(({ author }) => author.id === userId);
  assert.ok(isMine.includes(true) && isMine.includes(false));
  assert.ok(data.reviews.every(({ author }) => author.name));
  assert.deepEqual(data.reviews.map(({ author }) => author.email !== null), isMine);
  assert.deepEqual(data.reviews.map(({ order }) => order?.status === 'PENDING'), isMine);
  assert.deepEqual([...new Set(errors.map(({ extensions }) => extensions.code))], ['FORBIDDEN']);
  assert.ok(errors.some(({ path }) => path?.join() === `reviews,${isMine.indexOf(false)},order`));
  assert.deepEqual(answers.map(({ cost }) => cost.requests), [1, 1]);
});

test('without a token nobody is signed in', async () => {
  const { data } = await router.ask('{ viewer { name } reviews { author { id name } order { id status } } }');
  assert.equal(data.viewer, null);
  assert.ok(data.reviews.every(({ author, order }) => author.name && order === null));
});

test('an entity that does not exist is null, and a key that is none is an error', async () => {
  const nobody = Buffer.from('User:nobody').toString('base64url');
  const wrong = [
    { stars: 5, author: nobody, order: orders[0].id },
    { stars: 4, author: ada, order: 'O-1' },
    { stars: 3, author: orders[0].id, order: orders[1].id },
  ];
  const other = await startRouter([shop, { name: 'reviews', ...reviewsSubgraph(wrong) }]);
  const { data, errors } = await other.ask('{ reviews { stars author { name } order { status } } }', { authorization: admin });
  await other.stop();
  const pending = { status: 'PENDING' };
  assert.deepEqual(data.reviews, [
    { stars: 5, author: null, order: pending },
    { stars: 4, author: { name: 'Ada Lovelace' }, order: null },
    { stars: 3, author: null, order: pending },
  ]);
  const message = 'this is not an id of the type in __typename; pass an id exactly as this subgraph gave it';
  const places = errors.map(({ path, message, extensions }) => [path.join('.'), message, extensions.code]);
  assert.deepEqual(places.sort(), [
    ['reviews.1.order', message, 'BAD_USER_INPUT'],
    ['reviews.2.author', message, 'BAD_USER_INPUT'],
  ]);
});
