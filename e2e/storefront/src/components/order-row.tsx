import { Link } from 'react-router';
import { moment, money } from '../format';
import { type FragmentType, graphql, readFragment } from '../gql';
import type { OrderStatus } from '../gql/graphql';
import { isOptimistic } from '../orders/optimistic';
import { count } from './person';

export const OrderRow_order = graphql(`
  fragment OrderRow_order on Order {
    id
    status
    createdAt
    itemCount
    total {
      amount
      currency
    }
  }
`);

/** An order in a list, with a note instead of the number of its lines. Before the shop has answered it has no page of its own. */
export function OrderRow(props: { order: FragmentType<typeof OrderRow_order>; note?: string }) {
  const order = readFragment(OrderRow_order, props.order);
  const content = (
    <>
      <span>
        <strong>{moment(order.createdAt)}</strong>
        {props.note ? (
          <small>{props.note}</small>
        ) : (
          <small className="line-count">{count(order.itemCount, 'line')}</small>
        )}
      </span>
      {isOptimistic(order.id) ? <span className="status placing">Placing …</span> : <Status status={order.status} />}
      <span className="money">{money(order.total)}</span>
    </>
  );
  return isOptimistic(order.id) ? (
    <div className="order-row">{content}</div>
  ) : (
    <Link className="order-row" to={`/orders/${order.id}`}>
      {content}
    </Link>
  );
}

const names: Record<OrderStatus, string> = {
  PENDING: 'Pending',
  PAID: 'Paid',
  SHIPPED: 'Shipped',
  DELIVERED: 'Delivered',
  CANCELLED: 'Cancelled',
};

export const Status = ({ status }: { status: OrderStatus }) => (
  <span className={`status ${status.toLowerCase()}`}>{names[status]}</span>
);
