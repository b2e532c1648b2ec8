import { ApolloLink } from '@apollo/client';
import { isMutationOperation } from '@apollo/client/utilities';
import { finalize, map, race, retry, Subject, timer } from 'rxjs';
import { createStore, useStore } from '../store';
import { isUnanswered, requestCode } from './errors';

/** Why operations wait, and when the next attempt is, in milliseconds since the epoch. */
export type Wait = { reason: 'busy' | 'away'; until: number };

const waits = createStore<ReadonlyMap<ApolloLink.Operation, Wait>>(new Map());
const attemptsNow = new Subject<void>();

/** The wait of the operation that has waited longest, or undefined. */
export const useWait = (): Wait | undefined => useStore(waits).values().next().value;
export const tryNow = () => attemptsNow.next();

class Busy extends Error {
  constructor(readonly seconds: number) {
    super('The gateway asks to try again later.');
  }
}

const longest = 10; // seconds between attempts if the gateway does not say how many

/**
 * Waits and tries again after what passes by itself. The gateway rejects an operation with 429 or 503 before it is
 * executed, and names the seconds to wait, so queries and mutations can both be repeated. Without an answer, a mutation
 * may have been carried out: only queries are repeated then.
 */
export const patience = new ApolloLink((operation, forward) => {
  const isMutation = isMutationOperation(operation.query);
  return forward(operation).pipe(
    map((result) => {
      const seconds = secondsToWait(operation, result);
      if (seconds !== undefined) throw new Busy(seconds);
      return result;
    }),
    retry({
      delay: (error, attempt) => {
        const busy = error instanceof Busy;
        if (!busy && (isMutation || !isUnanswered(error))) throw error;
        const seconds = busy ? error.seconds : Math.min(2 ** (attempt - 1), longest);
        change((all) => all.set(operation, { reason: busy ? 'busy' : 'away', until: Date.now() + 1000 * seconds }));
        return race(timer(1000 * seconds), attemptsNow);
      },
    }),
    finalize(() => change((all) => all.delete(operation))),
  );
});

function secondsToWait(operation: ApolloLink.Operation, result: ApolloLink.Result) {
  const headers = (operation.getContext().response as Response | undefined)?.headers;
  const code = requestCode(result);
  if (code !== 'RATE_LIMITED' && code !== 'UNAVAILABLE') return undefined;
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** A query may end while a component with other variables renders, when no other component may be updated: so later. */
function change(edit: (all: Map<ApolloLink.Operation, Wait>) => void) {
  queueMicrotask(() => {
    const all = new Map(waits.get());
    edit(all);
    waits.set(all);
  });
}
