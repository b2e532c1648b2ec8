// Uses the module of the shop as a frontend does. A line below @ts-expect-error must not compile.
import { ApolloClient } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { FoundDocument, OrdersByStatusDocument, OrdersOfUserDocument, UnfollowDocument } from './shop.ts';
import type { OrderLineFragment } from './shop.ts';

export async function totals(client: ApolloClient, user: string): Promise<number[]> {
  const { data } = await client.query({ query: OrdersOfUserDocument, variables: { user } });
  // @ts-expect-error the variable is an id, which is text
  await client.query({ query: OrdersOfUserDocument, variables: { user: 1 } });
  // @ts-expect-error the variable user is missing
  await client.query({ query: OrdersOfUserDocument, variables: { first: 1 } });
  // @ts-expect-error the user can be null
  data?.user.name;
  // @ts-expect-error the document does not select it
  data?.user?.orderCount;
  return data?.user?.orders?.nodes?.map((order: OrderLineFragment) => order.total.amount) ?? [];
}

export function Work() {
  const { data } = useQuery(OrdersByStatusDocument, { variables: { status: 'PAID', createdAt: { from: '2026-01-01T00:00:00Z' } } });
  // @ts-expect-error no such state
  useQuery(OrdersByStatusDocument, { variables: { status: 'LOST' } });
  // @ts-expect-error a time is text
  useQuery(OrdersByStatusDocument, { variables: { status: 'PAID', createdAt: { from: new Date() } } });
  return data?.ordersByStatus?.nodes?.map((order) => order.createdAt.slice(0, 10));
}

export async function names(client: ApolloClient, ids: string[]) {
  const { data } = await client.query({ query: FoundDocument, variables: { ids } });
  return data?.nodes.map((node) => {
    // @ts-expect-error not every node has a name
    node?.name;
    return node?.__typename === 'User' ? node.name : node?.__typename === 'Order' ? node.status : undefined;
  });
}

export async function unfollow(client: ApolloClient, followeeId: string) {
  const { data } = await client.mutate({ mutation: UnfollowDocument, variables: { input: { followeeId } } });
  // @ts-expect-error no such code
  return data?.unfollowUser?.userErrors.some((error) => error.code === 'GONE');
}
