import { ApolloLink } from '@apollo/client';
import { tap } from 'rxjs';
import { createStore, useStore } from '../store';

/** What one operation has cost: `extensions.cost` of its response, with the operation's name. */
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

/** Collects what the operations of a page cost. */
export const cost = new ApolloLink((operation, forward) => {
  const sender = page;
  return forward(operation).pipe(
    tap(({ extensions }) => {
      const cost = extensions?.cost as Omit<Cost, 'operation'> | undefined;
      if (!cost || sender !== page) return;
      costs.set([...costs.get(), { ...cost, operation: operation.operationName ?? 'anonymous' }]);
    }),
  );
});
