import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import { isForbidden, sentence } from '../apollo/errors';
import { Live } from '../components/live';
import { Skeleton } from '../components/loaded';
import { OrderRow } from '../components/order-row';
import { Empty, Problem } from '../components/problem';
import { Title } from '../components/title';
import { readFragment } from '../gql';
import { customerOf, PendingOrder_order, usePendingOrders } from '../orders/use-pending-orders';

/** The work list of those who pack and ship. It follows the table by itself. */
export function PendingOrders() {
  const { pending, error, restart, showMore } = usePendingOrders();
  const list = useKeptFocus(pending?.orders);
  if (isForbidden(error)) return <Private />;
  return (
    <>
      <header className="pending">
        <Title text="Pending orders" />
        <Live />
      </header>
      {error && (
        <Problem title="This page does not follow the orders any more" onRetry={restart}>
          {sentence(error)}
        </Problem>
      )}
      {!pending && !error && (
        <div role="status" aria-busy="true">
          <span className="hidden">Loading</span>
          <Skeleton lines={6} className="rows" />
        </div>
      )}
      {pending?.orders.length === 0 && <Empty title="Nothing is pending" />}
      {pending && pending.orders.length > 0 && (
        <ul {...list} className="orders" aria-label="Pending orders, newest first">
          {pending.orders.map((order) => (
            <li key={order.id}>
              <OrderRow order={readFragment(PendingOrder_order, order)} note={customerOf(order)} />
            </li>
          ))}
        </ul>
      )}
      {pending?.hasMore && showMore && (
        <div className="more">
          <button className="button quiet" onClick={showMore}>
            Show more
          </button>
        </div>
      )}
      <p className="hidden" role="status">
        {pending?.news}
      </p>
    </>
  );
}

/** If the order that has the focus leaves, the next one gets it, so that the keyboard stays at its place. */
function useKeptFocus(rows: unknown) {
  const ref = useRef<HTMLUListElement>(null);
  const place = useRef(-1);
  const links = () => [...(ref.current?.querySelectorAll('a') ?? [])];
  useLayoutEffect(() => {
    const isLost = place.current >= 0 && document.activeElement === document.body;
    if (isLost) (links()[place.current] ?? links().at(-1))?.focus();
    place.current = links().findIndex((link) => link === document.activeElement);
  }, [rows]);
  return {
    ref,
    onFocus: () => (place.current = links().findIndex((link) => link === document.activeElement)),
    onBlur: () => (place.current = -1), // not called for an element that React removes
  };
}

const Private = () => (
  <>
    <Title text="You may not see this page" />
    <Empty title="This page is for staff">
      <Link to="/sign-in">Sign in as somebody else</Link>
    </Empty>
  </>
);
