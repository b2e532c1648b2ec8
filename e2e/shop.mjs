// The shop by plain HTTP, as its documentation describes it: operations, tokens, and users that belong to one test.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { endpoint } from './gateway.mjs';

/** The secret of the local engine's demo data, internal/gateway/auth/settings.go. */
const demoSecret = 'partita demo secret: everybody knows it, for the local engine alone';

export const graphQL = 'application/graphql-response+json';
export const json = 'application/json';

/** The headers of a signed-in caller. The user is a global id; `claims` replace those of a valid token. */
export async function signIn(user, { roles = [], claims = {}, secret = process.env.JWT_SECRET || demoSecret } = {}) {
  const now = Math.floor(Date.now() / 1000);
  const payload = { sub: rawId(user), roles, iat: now, exp: now + 3600, ...claims };
  const token = await new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret));
  return { authorization: `Bearer ${token}` };
}

/** The token of a user, as clients are given it. The options are those of `signIn`. */
export const tokenOf = async (user, options) => (await signIn(user, options)).authorization.replace('Bearer ', '');

const clockSkew = 30; // seconds for which a gateway trusts a token after its time

/** The claim `exp` of a token that a gateway trusts for so many seconds from now. */
export const trustedFor = (seconds) => Math.floor(Date.now() / 1000) + seconds - clockSkew;

/** The key variable of a global id of one variable: of `User:x` it is x. */
export const rawId = (id) => Buffer.from(id, 'base64url').toString().replace(/^\w+:/, '');

/** The global id of an object whose key has one variable. */
export const globalId = (type, raw) => Buffer.from(`${type}:${raw}`).toString('base64url');

/** Somebody of the shop's staff, who may read all orders and move them on. */
export const staff = () => signIn(globalId('User', randomUUID()), { roles: ['ADMIN'] });

/** Sends an operation and gives the response with its parsed body. */
export async function send(query, variables = {}, { as = {}, accept = graphQL, url = endpoint } = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': json, accept, ...as },
    body: JSON.stringify({ query, variables }),
  });
  const body = await response.json();
  return { status: response.status, headers: response.headers, body, data: body.data, errors: body.errors };
}

/** Sends an operation that succeeds, and gives its data. */
export async function ask(query, variables, options) {
  const { body, data, errors } = await send(query, variables, options);
  assert.equal(errors, undefined, JSON.stringify(body));
  return data;
}

/** Reads an operation's data as they are now, also if a replica of the table lags behind. */
export const read = (query, variables, { as = {}, ...options } = {}) =>
  ask(query, variables, { as: { ...as, 'partita-consistency': 'strong' }, ...options });

/** Runs a mutation with one field, and gives its payload. */
export async function mutate(mutation, input, as, options) {
  return Object.values(await ask(mutation, { input }, { as, ...options }))[0];
}

const createUserMutation = `mutation ($input: CreateUserInput!) {
  createUser(input: $input) { user { id name email version } userErrors { field code } }
}`;

/** An address that no other test has. */
export const newEmail = () => `${randomUUID()}@example.com`;

/** Creates a user, with the headers `as` of that user. Callers without a token could create few users in a minute. */
export async function newUser({ name = 'Lin Test', email = newEmail(), url } = {}) {
  const { user, userErrors } = await mutate(createUserMutation, { name, email }, await staff(), { url });
  assert.deepEqual(userErrors, []);
  return { ...user, as: await signIn(user.id) };
}

export const createUser = async (input) => mutate(createUserMutation, input, await staff());

const placeOrderMutation = `mutation ($input: PlaceOrderInput!) {
  placeOrder(input: $input) {
    order { id userId status createdAt total { amount currency } itemCount version }
    userErrors { field code message }
  }
}`;

/** A product that no other test orders. */
export const newSku = () => `TEST-${randomUUID()}`;

export const line = (sku, quantity = 1) => ({ sku, name: 'Tea', quantity, price: 250 });

export function placeOrder(as, input, options) {
  const defaults = { idempotencyKey: randomUUID(), currency: 'EUR', lines: [line(newSku())] };
  return mutate(placeOrderMutation, { ...defaults, ...input }, as, options);
}

/** Places an order that nothing is wrong with. */
export async function newOrder(as, input, options) {
  const { order, userErrors } = await placeOrder(as, input, options);
  assert.deepEqual(userErrors, []);
  return order;
}

/** Places several orders one after the other, oldest first. */
export async function newOrders(as, count, input) {
  const orders = [];
  while (orders.length < count) orders.push(await newOrder(as, input));
  return orders;
}

/** Compares orders as the shop lists them, oldest first. The text of a time has no trailing zeros: 0.12Z is 0.120Z. */
export const byTime = (a, b) =>
  Date.parse(a.createdAt) - Date.parse(b.createdAt) || (rawId(a.id) < rawId(b.id) ? -1 : 1);

export const followUser = (as, followeeId, options) =>
  mutate(
    `mutation ($input: FollowUserInput!) {
      followUser(input: $input) { follow { id followerId followeeId followedAt } userErrors { field code } }
    }`,
    { followeeId },
    as,
    options,
  );

export const unfollowUser = (as, followeeId, options) =>
  mutate(
    `mutation ($input: UnfollowUserInput!) {
      unfollowUser(input: $input) {
        follower { id followingCount } followee { id followerCount } userErrors { field code }
      }
    }`,
    { followeeId },
    as,
    options,
  );

export const moveOrder = async (orderId, version, status, as, options) =>
  mutate(
    `mutation ($input: UpdateOrderStatusInput!) {
      updateOrderStatus(input: $input) { order { id status version } userErrors { field code } }
    }`,
    { orderId, version, status },
    as ?? (await staff()),
    options,
  );

export const codes = (payload) => payload.userErrors.map(({ code }) => code);
