// What followUser and unfollowUser do to both users, read back by other requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codes, followUser, globalId, newUser, read, unfollowUser } from './shop.mjs';

/** All that the API shows of what a user and another one have to do with each other. */
async function state(user, other) {
  const data = await read(
    `query ($id: ID!, $other: ID!) {
      user(id: $id) {
        followerCount
        followingCount
        follows(userId: $other) { id followerId followeeId followedAt }
        followers(first: 10) { totalCount edges { followedAt node { id name } } }
        following(first: 10) { totalCount edges { followedAt node { id name } } }
      }
    }`,
    { id: user.id, other: other.id },
  );
  return data.user;
}

const apart = {
  followerCount: 0,
  followingCount: 0,
  follows: null,
  followers: { totalCount: 0, edges: [] },
  following: { totalCount: 0, edges: [] },
};

test('followUser is seen from both users, with both counters', async () => {
  const [ann, bob] = [await newUser({ name: 'Ann' }), await newUser({ name: 'Bob' })];
  const { follow, userErrors } = await followUser(ann.as, bob.id);
  assert.deepEqual(userErrors, []);
  assert.deepEqual([follow.followerId, follow.followeeId], [ann.id, bob.id]);
  const edge = ({ id, name }) => ({ followedAt: follow.followedAt, node: { id, name } });
  assert.deepEqual(await state(ann, bob), {
    ...apart,
    followingCount: 1,
    follows: follow,
    following: { totalCount: 1, edges: [edge(bob)] },
  });
  assert.deepEqual(await state(bob, ann), {
    ...apart,
    followerCount: 1,
    followers: { totalCount: 1, edges: [edge(ann)] },
  });
  const { node } = await read('query ($id: ID!) { node(id: $id) { ... on Follow { id followedAt } } }', {
    id: follow.id,
  });
  assert.deepEqual(node, { id: follow.id, followedAt: follow.followedAt });
});

test('unfollowUser undoes it', async () => {
  const [ann, bob] = [await newUser(), await newUser()];
  await followUser(ann.as, bob.id);
  assert.deepEqual(await unfollowUser(ann.as, bob.id), {
    follower: { id: ann.id, followingCount: 0 },
    followee: { id: bob.id, followerCount: 0 },
    userErrors: [],
  });
  assert.deepEqual(await state(ann, bob), apart);
  assert.deepEqual(await state(bob, ann), apart);
  assert.deepEqual(codes(await unfollowUser(ann.as, bob.id)), ['NOT_FOUND']);
  assert.deepEqual(await state(bob, ann), apart);
});

test('who follows already is counted once', async () => {
  const [ann, bob] = [await newUser(), await newUser()];
  const { follow } = await followUser(ann.as, bob.id);
  assert.deepEqual(await followUser(ann.as, bob.id), {
    follow,
    userErrors: [{ field: 'followeeId', code: 'ALREADY' }],
  });
  const attempts = await Promise.all([1, 2, 3, 4].map(() => followUser(bob.as, ann.id)));
  assert.deepEqual(attempts.flatMap(codes), ['ALREADY', 'ALREADY', 'ALREADY']);
  for (const [user, other] of [
    [ann, bob],
    [bob, ann],
  ]) {
    const { followerCount, followingCount, followers, following } = await state(user, other);
    assert.deepEqual([followerCount, followingCount, followers.edges.length, following.edges.length], [1, 1, 1, 1]);
  }
});

test('nobody follows themselves, or nobody', async () => {
  const ann = await newUser();
  const nobody = globalId('User', '00000000-0000-7000-8000-000000000000');
  for (const [followee, code] of [
    [ann.id, 'INVALID'],
    ['no id', 'INVALID'],
    [nobody, 'NOT_FOUND'],
  ]) {
    assert.deepEqual(await followUser(ann.as, followee), { follow: null, userErrors: [{ field: 'followeeId', code }] });
  }
  assert.deepEqual(await state(ann, ann), apart);
});
