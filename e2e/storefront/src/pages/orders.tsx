import { NetworkStatus } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { sentence } from '../apollo/errors';
import { DateRange, useDateRange } from '../components/date-range';
import { Loaded, Skeleton } from '../components/loaded';
import { More } from '../components/more';
import { OrderRow } from '../components/order-row';
import { Empty } from '../components/problem';
import { graphql } from '../gql';
import { useSession } from '../session';

const OrdersOf = graphql(`
  query Orders($id: ID!, $first: Int!, $after: String, $createdAt: TimeRange) {
    user(id: $id) {
      id
      orders(first: $first, after: $after, createdAt: $createdAt) {
        edges {
          cursor
          node {
            id
            ...OrderRow_order
          }
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`);

const pageSize = 10;

/** The orders of the page's user. Only their owner sees them, so nobody else asks for them. */
export function Orders() {
  const { id } = useParams();
  const session = useSession();
  if (!id || session?.userId !== id) return <Empty title="Orders are private">Only their owner sees them.</Empty>;
  return <OwnOrders id={id} />;
}

/** The newest orders first, more of them as one scrolls, of all times or of a range of days. */
function OwnOrders({ id }: { id: string }) {
  const { createdAt, problem } = useDateRange();
  const result = useQuery(OrdersOf, { variables: { id, first: pageSize, createdAt }, skip: problem !== undefined });
  const [error, setError] = useState<string>();

  async function loadMore(after: string) {
    setError(undefined);
    await result.fetchMore({ variables: { after } }).catch((reason) => setError(sentence(reason)));
  }

  return (
    <section aria-label="Orders">
      <DateRange />
      {!problem && (
        <Loaded result={result} skeleton={<Skeleton lines={6} className="rows" />}>
          {({ user }) => {
            const orders = user?.orders;
            if (!orders) return null; // an error says why
            if (orders.edges.length === 0)
              return createdAt ? <Empty title="No orders on these days" /> : <FirstOrder />;
            return (
              <>
                <ul className="orders" aria-label="Orders, newest first">
                  {orders.edges.map(({ node }) => (
                    <li key={node.id}>
                      <OrderRow order={node} />
                    </li>
                  ))}
                </ul>
                {orders.pageInfo.hasNextPage && (
                  <More
                    key={orders.pageInfo.endCursor} // the observer begins anew
                    isLoading={result.networkStatus === NetworkStatus.fetchMore}
                    error={error}
                    onMore={() => void loadMore(orders.pageInfo.endCursor!)}
                  />
                )}
                <p className="hidden" role="status">
                  {orders.edges.length} orders are shown.
                </p>
              </>
            );
          }}
        </Loaded>
      )}
    </section>
  );
}

const FirstOrder = () => (
  <Empty title="No orders yet">
    <Link to="/orders/new">Place your first order</Link>
  </Empty>
);
