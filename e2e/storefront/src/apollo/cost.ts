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

/** Forgets the costs of the last page. */
export const beginPage = () => costs.set([]);

/** Collects what the operations of a page cost. */
export const cost = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    tap(({ extensions }) => {
      const cost = extensions?.cost as Omit<Cost, 'operation'> | undefined;
      if (cost) costs.set([...costs.get(), { ...cost, operation: operation.operationName ?? 'anonymous' }]);
    }),
  ),
);
