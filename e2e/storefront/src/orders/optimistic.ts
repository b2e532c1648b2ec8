import type { ApolloCache, Reference } from '@apollo/client';

const prefix = 'optimistic:';

/** The id of an order until the shop has answered. */
export const optimisticId = (key: string) => prefix + key;
export const isOptimistic = (id: string) => id.startsWith(prefix);

type Orders = { edges: { __typename: string; cursor: string; node: Reference }[] };

/**
 * Puts an order at the beginning of its owner's list. Lists of certain days are forgotten: whether the order is among them
 * is for the shop to say.
 */
export function prepend(cache: ApolloCache, userId: string, order: { id: string }) {
  cache.modify<{ orders: Orders }>({
    id: cache.identify({ __typename: 'User', id: userId }),
    fields: {
      orders(existing, { storeFieldName, readField, toReference, DELETE }) {
        if (!storeFieldName.includes('"createdAt":null')) return DELETE as never;
        const orders = existing as Orders;
        if (orders.edges.some(({ node }) => readField('id', node) === order.id)) return existing;
        const node = toReference({ __typename: 'Order', id: order.id })!;
        return { ...orders, edges: [{ __typename: 'OrderEdge', cursor: '', node }, ...orders.edges] } as never;
      },
    },
  });
}
