import type { ApolloLink } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';

/** The code of a result that has nothing but errors, such as `RATE_LIMITED`. */
export function requestCode({ data, errors }: ApolloLink.Result): unknown {
  return data ? undefined : errors?.[0]?.extensions?.code;
}

/** The connection of subscriptions was lost, or there was none. */
export class Disconnected extends Error {}

/** Whether the gateway did not answer: nobody knows whether a mutation was carried out. */
export function isUnanswered(error: unknown) {
  if (CombinedGraphQLErrors.is(error)) return error.errors.some(({ extensions }) => extensions?.code === 'UNAVAILABLE');
  // fetch rejects with a TypeError
  return ServerError.is(error) || error instanceof TypeError || error instanceof Disconnected;
}

/** Whether all that is missing is not for this person to see, if it is there at all. */
export function isForbidden(error: unknown) {
  return CombinedGraphQLErrors.is(error) && error.errors.every(({ extensions }) => extensions?.code === 'FORBIDDEN');
}

/** What a person reads about an error. The messages of the gateway are sentences for people. */
export function sentence(error: unknown) {
  if (CombinedGraphQLErrors.is(error)) return error.errors.map(({ message }) => message).join(' ');
  if (isUnanswered(error)) return 'The shop did not answer.';
  return error instanceof Error ? error.message : String(error);
}
