import { useMutation } from '@apollo/client/react';
import { sentence } from '../apollo/errors';
import { type FragmentType, graphql, readFragment } from '../gql';
import type { OrderStatus } from '../gql/graphql';
import { notify } from './notices';

const MoveOrder_order = graphql(`
  fragment MoveOrder_order on Order {
    id
    status
    version
  }
`);

const Move = graphql(`
  mutation Move($input: UpdateOrderStatusInput!) {
    updateOrderStatus(input: $input) {
      order {
        id
        ...MoveOrder_order
      }
      userErrors {
        message
      }
    }
  }
`);

const moves: Partial<Record<OrderStatus, { to: OrderStatus; label: string }>> = {
  PENDING: { to: 'PAID', label: 'Mark as paid' },
  PAID: { to: 'SHIPPED', label: 'Mark as shipped' },
  SHIPPED: { to: 'DELIVERED', label: 'Mark as delivered' },
};

/** What staff do with an order. If somebody else was faster, the page has the order as it is now. */
export function MoveOrder(props: { order: FragmentType<typeof MoveOrder_order> }) {
  const { id, status, version } = readFragment(MoveOrder_order, props.order);
  const [send, { loading }] = useMutation(Move);
  const move = moves[status];
  if (!move) return null;

  async function run(to: OrderStatus) {
    try {
      const { data } = await send({ variables: { input: { orderId: id, version, status: to } } });
      for (const { message } of data?.updateOrderStatus?.userErrors ?? []) notify({ text: message, isError: true });
    } catch (error) {
      notify({ text: `That did not work. ${sentence(error)}`, isError: true });
    }
  }

  return (
    <button className="button" aria-disabled={loading} onClick={() => void (loading || run(move.to))}>
      {move.label}
    </button>
  );
}
