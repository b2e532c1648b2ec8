import { useSubscription } from '@apollo/client/react';
import type { ResultOf } from '@graphql-typed-document-node/core';
import { useReducer, useState } from 'react';
import { count } from '../components/person';
import { type FragmentType, graphql, readFragment } from '../gql';

export const PendingOrder_order = graphql(`
  fragment PendingOrder_order on Order {
    id
    createdAt
    customer {
      id
      name
    }
    ...OrderRow_order
  }
`);

const PendingOrders = graphql(`
  subscription PendingOrders($last: Int!) {
    ordersByStatus(status: PENDING, last: $last) {
      change
      connection {
        nodes {
          id
          ...PendingOrder_order
        }
        pageInfo {
          hasPreviousPage
        }
      }
      node {
        id
        ...PendingOrder_order
      }
      nodeId
    }
  }
`);

const pageSize = 20;
const most = 100; // of a page of the gateway, and on the screen

type Order = { id: string } & FragmentType<typeof PendingOrder_order>;

/** Pending orders, newest first, and what is said about the last change. `hasMore` is whether there are older ones. */
type Pending = { orders: readonly Order[]; hasMore: boolean; news: string };

type Event = NonNullable<ResultOf<typeof PendingOrders>['ordersByStatus']>;

/** The newest pending orders. Those that are placed are added, and those that are paid or cancelled leave. */
export function usePendingOrders() {
  const [last, setLast] = useState(pageSize);
  const [pending, take] = useReducer(after, undefined);
  const { error, restart } = useSubscription(PendingOrders, {
    variables: { last },
    onData: ({ data }) => data.data?.ordersByStatus && take(data.data.ordersByStatus),
  });
  const showMore = last < most ? () => setLast(last + pageSize) : undefined;
  return { pending, error, restart, showMore };
}

function after(pending: Pending | undefined, { change, connection, node, nodeId }: Event): Pending | undefined {
  if (connection) return shown(connection.nodes.toReversed(), connection.pageInfo.hasPreviousPage, '');
  if (!pending) return undefined;
  const before = pending.orders.find(({ id }) => id === nodeId);
  const others = pending.orders.filter((order) => order !== before);
  if (change === 'REMOVED') {
    return before ? shown(others, pending.hasMore, `The order of ${customerOf(before)} is not pending any more.`) : pending;
  }
  const oldest = others.at(-1);
  if (!node || (pending.hasMore && oldest && newestFirst(oldest, node) < 0)) return pending; // it is not on this page
  const orders = [...others, node].sort(newestFirst);
  const news = change === 'ADDED' ? `A new order of ${customerOf(node)}.` : '';
  return shown(orders.slice(0, most), pending.hasMore || orders.length > most, news);
}

const shown = (orders: readonly Order[], hasMore: boolean, news: string): Pending => ({
  orders,
  hasMore,
  news: `${news} ${count(orders.length, 'pending order')} shown.`.trim(),
});

export const customerOf = (order: Order) =>
  readFragment(PendingOrder_order, order).customer?.name ?? 'somebody who has left';

/** Like the gateway, which has the oldest ones first: by time, and then by id. */
function newestFirst(a: Order, b: Order) {
  const [time, other] = [a, b].map((order) => Date.parse(readFragment(PendingOrder_order, order).createdAt));
  return other! - time! || (a.id < b.id ? 1 : -1);
}
