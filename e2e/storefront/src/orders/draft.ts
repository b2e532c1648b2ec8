import { createStore, useStore } from '../store';
import { products } from './catalogue';

type UserError = { field?: string | null; message: string };

/**
 * An order that is not placed yet. The idempotency key belongs to its content: the same content is sent with the same
 * key, however often and also after a reload, so that it is placed once. Other content gets another key.
 */
export type Draft = {
  key: string;
  /** Quantities by stock keeping unit. */
  quantities: Readonly<Record<string, number>>;
  /** What came of the last attempt: rejected with errors, or nobody knows. */
  outcome?: { errors: readonly UserError[] } | 'unknown';
};

const stored = 'draft';

const empty = (): Draft => ({ key: crypto.randomUUID(), quantities: {} });

const store = createStore<Draft>(JSON.parse(sessionStorage.getItem(stored) ?? 'null') ?? empty());

function save(draft: Draft) {
  sessionStorage.setItem(stored, JSON.stringify(draft));
  store.set(draft);
}

export const useDraft = () => useStore(store);

export const setQuantity = (sku: string, quantity: number) =>
  save({ key: crypto.randomUUID(), quantities: { ...store.get().quantities, [sku]: quantity } });

/** Keeps a draft after an attempt that was not successful. */
export const keep = (draft: Draft, outcome: Draft['outcome']) => save({ ...draft, outcome });

export const clear = () => save(empty());

/** The lines of a draft, in the order of the catalogue. */
export const linesOf = ({ quantities }: Draft) =>
  products
    .filter(({ sku }) => quantities[sku])
    .map(({ sku, name, price }) => ({ sku, name, price, quantity: quantities[sku]! }));

export const totalOf = (draft: Draft) => linesOf(draft).reduce((sum, { price, quantity }) => sum + price * quantity, 0);
