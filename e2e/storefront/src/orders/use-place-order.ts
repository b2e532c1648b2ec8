import { useApolloClient } from '@apollo/client/react';
import { useNavigate } from 'react-router';
import { isUnanswered, sentence } from '../apollo/errors';
import { notify } from '../components/notices';
import { graphql } from '../gql';
import type { PlaceOrderMutation } from '../gql/graphql';
import { useSession } from '../session';
import { currency } from './catalogue';
import { clear, type Draft, keep, linesOf, totalOf } from './draft';
import { optimisticId, prepend } from './optimistic';

const PlaceOrder = graphql(`
  mutation PlaceOrder($input: PlaceOrderInput!) {
    placeOrder(input: $input) {
      order {
        id
        userId
        status
        createdAt
        itemCount
        version
        total {
          amount
          currency
        }
        customer {
          id
          orderCount
        }
      }
      userErrors {
        field
        message
        code
      }
    }
  }
`);

const Customer = graphql(`
  fragment Customer on User {
    id
    orderCount
  }
`);

/**
 * Places an order and goes on at once: the list of orders shows it before the shop has answered. If it is not placed,
 * it disappears from the list, and a notice on whatever page leads back to the draft, or sends it again with its key.
 */
export function usePlaceOrder() {
  const client = useApolloClient();
  const navigate = useNavigate();
  const userId = useSession()?.userId ?? '';

  async function place(draft: Draft) {
    void navigate(`/users/${userId}`);
    try {
      const { data } = await client.mutate({
        mutation: PlaceOrder,
        variables: { input: { idempotencyKey: draft.key, currency, lines: linesOf(draft) } },
        optimisticResponse: { placeOrder: expected(draft) },
        update(cache, { data }) {
          if (data?.placeOrder?.order) prepend(cache, userId, data.placeOrder.order);
        },
      });
      report(draft, data?.placeOrder);
    } catch (error) {
      lost(draft, error);
    }
  }

  /** What the response will probably be. */
  function expected(draft: Draft): PlaceOrderMutation['placeOrder'] {
    const lines = linesOf(draft);
    const customer = client.readFragment({ fragment: Customer, from: { __typename: 'User', id: userId } });
    return {
      __typename: 'PlaceOrderPayload',
      order: {
        __typename: 'Order',
        id: optimisticId(draft.key),
        userId,
        status: 'PENDING',
        createdAt: new Date().toISOString(),
        itemCount: lines.length,
        version: 1,
        total: { __typename: 'Money', amount: totalOf(draft), currency },
        customer: customer && { ...customer, orderCount: customer.orderCount + 1 },
      },
      userErrors: [],
    };
  }

  function report(draft: Draft, payload: PlaceOrderMutation['placeOrder'] | undefined) {
    const order = payload?.order;
    if (order) {
      clear();
      notify({
        text: 'Your order is placed.',
        action: { label: 'Show it', run: () => void navigate(`/orders/${order.id}`) },
      });
    } else {
      keep(draft, { errors: payload?.userErrors ?? [] });
      rejected();
    }
  }

  const rejected = () =>
    notify({
      text: 'Your order was not placed: something has to be corrected.',
      isError: true,
      action: { label: 'Correct it', run: () => void navigate('/orders/new') },
    });

  function lost(draft: Draft, error: unknown) {
    keep(draft, isUnanswered(error) ? 'unknown' : { errors: [{ message: sentence(error) }] });
    if (!isUnanswered(error)) return rejected();
    notify({
      text: 'The shop did not answer, so your order may be placed or not. Sent again, it is placed once.',
      isError: true,
      action: { label: 'Send it again', run: () => void place(draft) },
    });
  }

  return place;
}
