import { useQuery } from '@apollo/client/react';
import { Link, useParams } from 'react-router';
import { isForbidden } from '../apollo/errors';
import { CancelOrder } from '../components/cancel-order';
import { Icon } from '../components/icon';
import { Live } from '../components/live';
import { Loaded, Skeleton } from '../components/loaded';
import { MoveOrder } from '../components/move-order';
import { Status } from '../components/order-row';
import { count } from '../components/person';
import { Empty } from '../components/problem';
import { Title } from '../components/title';
import { useLiveOrder } from '../components/use-live-order';
import { money, moment } from '../format';
import { type FragmentType, graphql, readFragment } from '../gql';
import { iconOf } from '../orders/catalogue';
import { useSession } from '../session';
import { NotFound } from './not-found';

// An order has at most 96 lines, so one page has them all.
const Order = graphql(`
  query Order($id: ID!) {
    order(id: $id) {
      id
      userId
      status
      createdAt
      itemCount
      total {
        amount
        currency
      }
      ...CancelOrder_order
      ...MoveOrder_order
      items(first: 96) {
        nodes {
          id
          ...OrderLine_item
        }
      }
    }
  }
`);

const OrderLine_item = graphql(`
  fragment OrderLine_item on Item {
    id
    sku
    name
    quantity
    price {
      amount
      currency
    }
  }
`);

/** An order with its lines. Only its owner and staff see it. Its status follows the table. */
export function OrderPage() {
  const { id = '' } = useParams();
  const session = useSession();
  const result = useQuery(Order, { variables: { id } });
  useLiveOrder(id, { skip: !result.data?.order, onGone: () => void result.refetch() });
  if (isForbidden(result.error)) return <Private />;
  return (
    <Loaded result={result} skeleton={<Skeleton lines={6} className="rows" />}>
      {({ order }) => {
        if (!order) return result.error ? null : <NotFound what="order" />; // an error says why
        return (
          <article className="order">
            <Link className="back" to={session?.isStaff ? '/pending' : `/users/${order.userId}`}>
              <Icon name="back" />
              {session?.isStaff ? 'Pending orders' : 'All orders'}
            </Link>
            <header>
              <div>
                <Title text={`Order of ${moment(order.createdAt)}`} />
                <p>
                  <span role="status">
                    <Status status={order.status} />
                  </span>
                  <span className="muted">{count(order.itemCount, 'line')}</span>
                  <Live />
                </p>
              </div>
              {session?.userId === order.userId && <CancelOrder order={order} />}
              {session?.isStaff && <MoveOrder order={order} />}
            </header>
            <ul className="lines" aria-label="Lines">
              {order.items?.nodes.map((item) => (
                <Line key={item.id} item={item} />
              ))}
            </ul>
            <p className="total">
              <span>Total</span>
              <span className="money">{money(order.total)}</span>
            </p>
          </article>
        );
      }}
    </Loaded>
  );
}

const Private = () => (
  <>
    <Title text="You may not see this order" />
    <Empty title="Orders are private">
      Only its owner and staff see this one, if it is there at all. <Link to="/sign-in">Sign in as somebody else</Link>
    </Empty>
  </>
);

function Line(props: { item: FragmentType<typeof OrderLine_item> }) {
  const { sku, name, quantity, price } = readFragment(OrderLine_item, props.item);
  return (
    <li>
      <span className="tile">
        <Icon name={iconOf(sku)} />
      </span>
      <span>
        <strong>{name}</strong>
        <small>
          {quantity} × {money(price)} · {sku}
        </small>
      </span>
      <span className="money">{money({ ...price, amount: price.amount * quantity })}</span>
    </li>
  );
}
