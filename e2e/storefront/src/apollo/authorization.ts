import { ApolloLink } from '@apollo/client';
import { defer, from, map, retry } from 'rxjs';
import * as session from '../session';
import { requestCode } from './errors';

class Unauthenticated extends Error {}

/**
 * Sends the token. If the gateway does not trust it any more (401), the operation waits until the person has signed in
 * again, so that nothing that was typed is lost.
 */
export const authorization = new ApolloLink((operation, forward) =>
  defer(() => {
    const token = session.token();
    operation.setContext(({ headers }) => ({
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    }));
    return forward(operation);
  }).pipe(
    map((result) => {
      if (requestCode(result) === 'UNAUTHENTICATED') throw new Unauthenticated(result.errors?.[0]?.message);
      return result;
    }),
    retry({
      delay: (error) => {
        if (!(error instanceof Unauthenticated)) throw error;
        return from(session.expired());
      },
    }),
  ),
);
