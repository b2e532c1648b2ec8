import { useSubscription } from '@apollo/client/react';
import { graphql } from '../gql';

const UserChanges = graphql(`
  subscription UserChanges($id: ID!) {
    user(id: $id) {
      id
      name
      orderCount
      followerCount
      followingCount
      version
    }
  }
`);

/**
 * Keeps a user in the cache as it is in the table. A new follower changes the counter in the user's own item, in the same
 * transaction, so an event has the count itself and nothing has to be added up.
 */
export function useLiveUser(id: string, { skip }: { skip: boolean }) {
  useSubscription(UserChanges, { variables: { id }, skip, ignoreResults: true }); // the cache has them
}
