import type { ApolloCache, Reference } from '@apollo/client';

const prefix = 'optimistic:';

/** The id of an order until the shop has answered. */
export const optimisticId = (key: string) => prefix + key;
export const isOptimistic = (id: string) => id.startsWith(prefix);

/** A list of orders as the cache has it. */
type Orders = { edges: { __typename: 'OrderEdge'; cursor: string; node: Reference }[] };

/**
 * Puts an order at the beginning of its owner's list. Lists of certain days are forgotten: whether the order is among
 * them is for the shop to say.
 */
export function prepend(cache: ApolloCache, userId: string, order: { id: string }) {
  cache.modify<Record<string, Orders>>({
    id: cache.identify({ __typename: 'User', id: userId }),
    fields: {
      orders(existing, { storeFieldName, readField, toReference, DELETE }) {
        if (!storeFieldName.includes('"createdAt":null')) return DELETE;
        const orders = existing as Orders;
        if (orders.edges.some(({ node }) => readField('id', node) === order.id)) return orders;
        const node = toReference({ __typename: 'Order', id: order.id })!;
        const edge = { __typename: 'OrderEdge' as const, cursor: '', node };
        return { ...orders, edges: [edge, ...orders.edges] };
      },
    },
  });
}
