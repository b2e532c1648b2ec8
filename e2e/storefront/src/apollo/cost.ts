import { ApolloLink } from '@apollo/client';
import { isSubscriptionOperation } from '@apollo/client/utilities';
import { tap } from 'rxjs';
import { createStore, useStore } from '../store';

/** What one operation has cost: `extensions.cost` of its responses, with the operation's name. */
export type Cost = {
  operation: string;
  estimatedReadUnits: number;
  readUnits: number;
  writeUnits: number;
  requests: number;
  waves: number;
};

const costs = createStore<readonly Cost[]>([]);

export const useCosts = () => useStore(costs);

let page: string | undefined;

/** Forgets the costs of the last page, also those of responses that are still to come. */
export function beginPage(path: string) {
  if (path === page) return;
  page = path;
  costs.set([]);
}

/** Collects what the operations of a page cost. The events of a subscription are one sum. */
export const cost = new ApolloLink((operation, forward) => {
  const sender = page;
  const isSubscription = isSubscriptionOperation(operation.query);
  return forward(operation).pipe(
    tap(({ extensions }) => {
      const cost = extensions?.cost as Omit<Cost, 'operation'> | undefined;
      if (!cost || sender !== page) return;
      const next = { ...cost, operation: operation.operationName ?? 'anonymous' };
      const before = isSubscription ? costs.get().find((one) => one.operation === next.operation) : undefined;
      costs.set([...costs.get().filter((one) => one !== before), before ? sum(before, next) : next]);
    }),
  );
});

const sum = (one: Cost, other: Cost): Cost => ({
  operation: one.operation,
  estimatedReadUnits: one.estimatedReadUnits + other.estimatedReadUnits,
  readUnits: one.readUnits + other.readUnits,
  writeUnits: one.writeUnits + other.writeUnits,
  requests: one.requests + other.requests,
  waves: one.waves + other.waves,
});
