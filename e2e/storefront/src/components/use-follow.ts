import type { ApolloCache } from '@apollo/client';
import { useApolloClient, useMutation } from '@apollo/client/react';
import { sentence } from '../apollo/errors';
import { graphql } from '../gql';
import { notify } from './notices';

const Follow = graphql(`
  mutation Follow($id: ID!) {
    followUser(input: { followeeId: $id }) {
      follow {
        id
        follower {
          id
          followingCount
        }
        followee {
          id
          followerCount
        }
      }
      userErrors {
        code
        message
      }
    }
  }
`);

const Unfollow = graphql(`
  mutation Unfollow($id: ID!) {
    unfollowUser(input: { followeeId: $id }) {
      follower {
        id
        followingCount
      }
      followee {
        id
        followerCount
      }
      userErrors {
        code
        message
      }
    }
  }
`);

const Edge = graphql(`
  fragment Edge on User {
    follows(userId: $id) {
      id
    }
  }
`);

type Followee = { id: string; followerCount: number };
type Follower = { id: string; followingCount: number };

/**
 * Follows a user, or no longer. The page shows it at once, with both counters, and as it was if the mutation fails:
 * Apollo keeps what is optimistic in a layer above the cache, which it removes when the response is there.
 */
export function useFollow(followee: Followee, follower: Follower) {
  const client = useApolloClient();
  const [sendFollow, following] = useMutation(Follow);
  const [sendUnfollow, unfollowing] = useMutation(Unfollow);

  const ends = (change: 1 | -1) => ({
    follower: { __typename: 'User' as const, id: follower.id, followingCount: follower.followingCount + change },
    followee: { __typename: 'User' as const, id: followee.id, followerCount: Math.max(0, followee.followerCount + change) },
  });

  const setEdge = (cache: ApolloCache, follows: { __typename: 'Follow'; id: string } | null) => {
    const id = cache.identify({ __typename: 'User', id: follower.id });
    cache.writeFragment({ id, fragment: Edge, variables: { id: followee.id }, data: { __typename: 'User', follows } });
  };

  const follow = () =>
    sendFollow({
      variables: { id: followee.id },
      optimisticResponse: {
        followUser: {
          __typename: 'FollowUserPayload',
          follow: { __typename: 'Follow', id: `optimistic:${followee.id}`, ...ends(1) },
          userErrors: [],
        },
      },
      update(cache, { data }) {
        const edge = data?.followUser?.follow; // also if it was there ALREADY
        if (edge) setEdge(cache, edge);
      },
    }).then(({ data }) => data?.followUser?.userErrors.filter(({ code }) => code !== 'ALREADY'));

  const unfollow = () =>
    sendUnfollow({
      variables: { id: followee.id },
      optimisticResponse: {
        unfollowUser: { __typename: 'UnfollowUserPayload', ...ends(-1), userErrors: [] },
      },
      update(cache, { data }) {
        if (data?.unfollowUser?.userErrors.length === 0) setEdge(cache, null);
      },
    }).then(({ data }) => data?.unfollowUser?.userErrors);

  /** Sends the mutation, reports what is wrong, and has the lists of both users read again when they are shown. */
  async function send(mutate: typeof follow | typeof unfollow) {
    try {
      const [error] = (await mutate()) ?? [];
      if (error) notify({ text: error.message, isError: true });
    } catch (error) {
      notify({ text: `That did not work. ${sentence(error)}`, isError: true });
    }
    const { cache } = client;
    cache.evict({ id: cache.identify({ __typename: 'User', id: followee.id }), fieldName: 'followers' });
    cache.evict({ id: cache.identify({ __typename: 'User', id: follower.id }), fieldName: 'following' });
  }

  return {
    follow: () => send(follow),
    unfollow: () => send(unfollow),
    isBusy: following.loading || unfollowing.loading,
  };
}
