import type { FormEvent } from 'react';
import { Link } from 'react-router';
import { errorOf } from '../components/field';
import { Icon } from '../components/icon';
import { Empty, Problem } from '../components/problem';
import { Title } from '../components/title';
import { money } from '../format';
import { currency, type Product, shelves } from '../orders/catalogue';
import { type Draft, linesOf, setQuantity, totalOf, useDraft } from '../orders/draft';
import { usePlaceOrder } from '../orders/use-place-order';
import { useSession } from '../session';

export function NewOrderPage() {
  const session = useSession();
  const draft = useDraft();
  const place = usePlaceOrder();
  if (!session) {
    return (
      <>
        <Title text="New order" />
        <Empty title="You are not signed in">
          <Link to="/sign-in">Sign in</Link> to place an order.
        </Empty>
      </>
    );
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void place(draft);
  }

  return (
    <form className="new-order" noValidate onSubmit={submit}>
      <div>
        <Title text="New order" />
        <Outcome draft={draft} />
        {shelves.map(({ name, products }) => (
          <fieldset key={name}>
            <legend>{name}</legend>
            {products.map((product) => (
              <Quantity key={product.sku} product={product} draft={draft} />
            ))}
          </fieldset>
        ))}
      </div>
      <Basket draft={draft} />
    </form>
  );
}

/** What came of the last attempt, except for what is said at a line. */
function Outcome({ draft }: { draft: Draft }) {
  if (!draft.outcome) return null;
  if (draft.outcome === 'unknown') {
    return (
      <Problem title="This order may be placed already">
        The shop did not answer. Place it again as it is: it is placed once. With other contents it is another order.
      </Problem>
    );
  }
  const others = draft.outcome.errors.filter(({ field }) => !field?.startsWith('lines.'));
  return (
    <>
      {others.map(({ message }) => (
        <Problem key={message} title={message} />
      ))}
    </>
  );
}

function Quantity({ product: { sku, name, price, icon }, draft }: { product: Product; draft: Draft }) {
  const quantity = draft.quantities[sku] ?? 0;
  const line = linesOf(draft).findIndex((line) => line.sku === sku);
  const errors = draft.outcome && draft.outcome !== 'unknown' ? draft.outcome.errors : [];
  const error = line < 0 ? undefined : errorOf(errors, `lines.${line}.quantity`);
  return (
    <div className="product">
      <span className="tile">
        <Icon name={icon} />
      </span>
      <label htmlFor={sku}>
        {name}
        <small>{money({ amount: price, currency })}</small>
      </label>
      <div className="stepper">
        <button
          type="button"
          aria-label={`One less: ${name}`}
          aria-disabled={quantity === 0}
          onClick={() => quantity && setQuantity(sku, quantity - 1)}
        >
          <Icon name="minus" />
        </button>
        <input
          id={sku}
          inputMode="numeric"
          value={quantity}
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `${sku}-error`}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => setQuantity(sku, Number(target.value.replace(/\D/g, '').slice(0, 6)))}
        />
        <button type="button" aria-label={`One more: ${name}`} onClick={() => setQuantity(sku, quantity + 1)}>
          <Icon name="plus" />
        </button>
      </div>
      {error && (
        <p className="error" id={`${sku}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function Basket({ draft }: { draft: Draft }) {
  const lines = linesOf(draft);
  return (
    <aside className="card basket" aria-label="Basket">
      <h2>Basket</h2>
      {lines.length === 0 && <p className="muted">Nothing yet.</p>}
      <ul>
        {lines.map(({ sku, name, quantity, price }) => (
          <li key={sku}>
            <span>
              {quantity} × {name}
            </span>
            <span className="money">{money({ amount: price * quantity, currency })}</span>
          </li>
        ))}
      </ul>
      <p className="total">
        <span>Total</span>
        <output className="money">{money({ amount: totalOf(draft), currency })}</output>
      </p>
      <button className="button" disabled={lines.length === 0}>
        Place order
      </button>
    </aside>
  );
}
