import { useSubscription } from '@apollo/client/react';
import { graphql } from '../gql';

const OrderChanges = graphql(`
  subscription OrderChanges($id: ID!) {
    order(id: $id) {
      id
      status
      version
    }
  }
`);

/** Keeps an order in the cache as it is in the table. `onGone` is called if it is deleted, or hidden from the viewer. */
export function useLiveOrder(id: string, { skip, onGone }: { skip: boolean; onGone: () => void }) {
  useSubscription(OrderChanges, {
    variables: { id },
    skip,
    ignoreResults: true, // the cache has them
    onData: ({ data }) => data.data?.order === null && onGone(),
  });
}
