import { ApolloLink } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { CloseCode, createClient } from 'graphql-ws';
import { catchError, defer, finalize, map, of, retry, timer } from 'rxjs';
import { config } from '../config';
import * as session from '../session';
import { createStore, useStore } from '../store';
import { Disconnected, requestCode } from './errors';
import { arrived } from './patience';

/** How many connections there are: one if something on the page is live. */
const connections = createStore(0);

export const useIsLive = () => useStore(connections) > 0;

/** What cannot be continued: changes are missing, so it has to begin with the current state. */
class Outdated extends Error {}

const startsAnew = 1000; // milliseconds later

/** The codes with which the gateway closes a connection whose token it does not trust, or no longer. */
const untrusted: number[] = [CloseCode.Unauthorized, CloseCode.Forbidden];

/**
 * Sends subscriptions over one WebSocket, which is closed while there are none. One that is sent again, because the
 * connection was lost or the token has expired, continues after its last event, so that nothing is missed and nothing is
 * seen twice. If the gateway does not have the missed changes any more, the next event is the current state.
 */
export function createLiveLink() {
  let closed: CloseEvent | undefined;
  const socket = createClient({
    url: config.endpoint.replace(/^http/, 'ws'),
    connectionParams: () => ({ ...(session.token() && { authorization: `Bearer ${session.token()}` }) }),
    retryAttempts: 0, // `patience` tries again, and says so
    keepAlive: 10_000,
  });
  let isConnected = false;
  const connected = (is: boolean) => {
    if (is !== isConnected) connections.set(connections.get() + (is ? 1 : -1));
    isConnected = is;
  };
  socket.on('connected', () => connected(true));
  socket.on('closed', (event) => {
    closed = event as CloseEvent;
    connected(false);
  });
  const link = new GraphQLWsLink(socket);

  /** The gateway's errors are a result, as they are with HTTP. */
  function asResult(error: unknown) {
    if (CombinedGraphQLErrors.is(error)) return of<ApolloLink.Result>({ errors: error.errors });
    if (!closed || !untrusted.includes(closed.code)) throw new Disconnected();
    const untrustedToken = { message: closed.reason, extensions: { code: 'UNAUTHENTICATED' } };
    return of<ApolloLink.Result>({ errors: [untrustedToken] });
  }

  return new ApolloLink((operation) =>
    defer(() => {
      const forget = socket.on('connected', () => arrived(operation));
      if (isConnected) arrived(operation);
      return link.request(operation).pipe(finalize(forget));
    }).pipe(
      catchError(asResult),
      map((result) => {
        const code = requestCode(result);
        if (code === 'POSITION_EXPIRED' || code === 'CHANGES_LOST') {
          operation.extensions = {};
          throw new Outdated();
        }
        const live = result.extensions?.live;
        if (live) operation.extensions = { live }; // the position, for the next attempt
        return result;
      }),
      retry({
        delay: (error) => {
          if (!(error instanceof Outdated)) throw error;
          return timer(startsAnew);
        },
      }),
    ),
  );
}
