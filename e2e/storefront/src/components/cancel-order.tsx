import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { isUnanswered, sentence } from '../apollo/errors';
import { type FragmentType, graphql, readFragment } from '../gql';
import { Dialog } from './dialog';
import { notify } from './notices';
import { Status } from './order-row';
import { Problem } from './problem';

const CancelOrder_order = graphql(`
  fragment CancelOrder_order on Order {
    id
    status
    version
  }
`);

const Cancel = graphql(`
  mutation Cancel($input: CancelOrderInput!) {
    cancelOrder(input: $input) {
      order {
        id
        ...CancelOrder_order
      }
      userErrors {
        message
      }
    }
  }
`);

type Props = { order: FragmentType<typeof CancelOrder_order> };

export function CancelOrder(props: Props) {
  const order = readFragment(CancelOrder_order, props.order);
  // The dialog keeps the state that it was opened with: the decision is based on that.
  const [based, setBased] = useState<typeof order>();
  const isPossible = canBeCancelled(order.status);
  return (
    <>
      {isPossible && (
        <button className="button danger" onClick={() => setBased(order)}>
          Cancel order
        </button>
      )}
      {based && <CancelDialog order={props.order} based={based.version} onClose={() => setBased(undefined)} />}
    </>
  );
}

const canBeCancelled = (status: string) => status === 'PENDING' || status === 'PAID';

/**
 * If the order changes while the dialog is open, it shows that, and offers what is still possible. If the page has not
 * seen the change yet, nothing happens to the order, and the response has it as it is now.
 */
function CancelDialog({ order, based, onClose }: Props & { based: number; onClose: () => void }) {
  const { id, status, version } = readFragment(CancelOrder_order, order);
  const [cancel, { data, error, loading }] = useMutation(Cancel);
  const errors = data?.cancelOrder?.userErrors ?? [];
  const isSent = loading || data?.cancelOrder?.userErrors.length === 0; // the page may see its own change before the response
  const hasChanged = version !== based && !isSent;

  async function send() {
    const input = { orderId: id, version: hasChanged ? version : based };
    const { data } = await cancel({ variables: { input } }).catch(() => ({ data: undefined })); // the hook has it
    if (data?.cancelOrder?.userErrors.length !== 0) return;
    notify({ text: 'The order is cancelled.' });
    onClose();
  }

  const isPossible = canBeCancelled(status);
  return (
    <Dialog title={hasChanged ? 'The order has changed' : 'Cancel this order?'} onClose={onClose}>
      {hasChanged ? (
        <p role="alert">
          Meanwhile it is <Status status={status} />.{' '}
          {isPossible
            ? 'It can still be cancelled.'
            : status === 'CANCELLED'
              ? 'Nothing is left to do.'
              : 'It can no longer be cancelled.'}
        </p>
      ) : (
        <p>It will not be sent, and nothing will be charged. This cannot be undone.</p>
      )}
      {!hasChanged && errors.map(({ message }) => <Problem key={message} title={message} />)}
      {error && (
        <Problem title="The order was not cancelled">
          {isUnanswered(error)
            ? 'The shop did not answer, so it may be cancelled all the same. Cancel it again to be sure.'
            : sentence(error)}
        </Problem>
      )}
      <div className="actions">
        {isPossible && (
          <button className="button danger" disabled={loading} onClick={() => void send()}>
            {loading ? 'Cancelling …' : hasChanged ? 'Cancel it anyway' : 'Cancel order'}
          </button>
        )}
        <button className="button quiet" onClick={onClose}>
          {isPossible ? 'Keep it' : 'Close'}
        </button>
      </div>
    </Dialog>
  );
}
