import { ApolloLink } from '@apollo/client';
import { isMutationOperation, isSubscriptionOperation } from '@apollo/client/utilities';
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

/** What passes by itself, in a number of seconds if the gateway names one. */
class Passing extends Error {
  constructor(
    readonly reason: Wait['reason'],
    readonly seconds?: number,
  ) {
    super('The gateway asks to try again later.');
  }
}

const longest = 10; // seconds between attempts if the gateway does not say how many

/**
 * Waits and tries again after what passes by itself. The gateway rejects an operation with 429 or 503 before it is
 * executed, and names the seconds to wait, so queries and mutations can both be repeated. Without an answer, a mutation
 * may have been carried out: only queries are repeated then, and subscriptions, which continue where they were.
 */
export const patience = new ApolloLink((operation, forward) => {
  const isMutation = isMutationOperation(operation.query);
  return forward(operation).pipe(
    map((result) => {
      const passing = asPassing(operation, result);
      if (passing) throw passing;
      arrived(operation);
      return result;
    }),
    retry({
      resetOnSuccess: true,
      delay: (error, attempt) => {
        const passing = error instanceof Passing ? error : new Passing('away');
        if (passing !== error && (isMutation || !isUnanswered(error))) throw error;
        const { reason, seconds = Math.min(2 ** (attempt - 1), longest) } = passing;
        change((all) => all.set(operation, { reason, until: Date.now() + 1000 * seconds }));
        return race(timer(1000 * seconds), attemptsNow);
      },
    }),
    finalize(() => arrived(operation)),
  );
});

/** Ends the wait of an operation, which is answered, or a subscription that is connected. */
export function arrived(operation: ApolloLink.Operation) {
  change((all) => all.delete(operation));
}

function asPassing(operation: ApolloLink.Operation, result: ApolloLink.Result) {
  const code = requestCode(result);
  if (isSubscriptionOperation(operation.query)) {
    if (code === 'RATE_LIMITED') return new Passing('busy');
    return code === 'UNAVAILABLE' || code === 'SLOW_CONSUMER' ? new Passing('away') : undefined;
  }
  if (code !== 'RATE_LIMITED' && code !== 'UNAVAILABLE') return undefined;
  const headers = (operation.getContext().response as Response | undefined)?.headers;
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? new Passing('busy', seconds) : undefined;
}

/** A query may end while a component with other variables renders, when no other component may be updated: so later. */
function change(edit: (all: Map<ApolloLink.Operation, Wait>) => void) {
  queueMicrotask(() => {
    const all = new Map(waits.get());
    edit(all);
    if (all.size > 0 || waits.get().size > 0) waits.set(all);
  });
}
