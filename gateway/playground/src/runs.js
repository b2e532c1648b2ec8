// Sends operations, and keeps what the last ones consumed, so that the panel "Plan" shows it beside the estimate.
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { createClient } from 'graphql-ws';
import { withIdentity } from './identity.js';
import { settings } from './settings.js';
import { createStore } from './store.js';

const most = 50; // runs that are kept

/**
 * The last runs: { cost, measured } by the text of the request. That of a subscription is of its first state, with the
 * last event as `event`.
 */
export const lastRuns = createStore(new Map());

/** Requests with the same text differ only in what the table contains when they are sent. */
export const requestOf = ({ query, variables, operationName }, headers) =>
  JSON.stringify([query, variables ?? {}, operationName ?? null, headers ?? {}]);

export async function fetcher(params, options) {
  const headers = withIdentity(options?.headers);
  const text = requestOf(params, headers);
  if (params.operationName === 'IntrospectionQuery') return send(params, { ...options, headers });
  const measuring = settings.plan && { 'Partita-Plan': 'measured' };
  const wsClient = subscriber(headers, text);
  const result = await send(params, { ...options, headers: { ...headers, ...measuring } }, wsClient);
  if (Symbol.asyncIterator in result) return result;
  const { cost, plan: measured } = result.extensions ?? {};
  if (measured) delete result.extensions.plan; // it is in the picture
  keep(text, { cost, measured });
  return result;
}

const send = (params, options, wsClient) =>
  createGraphiQLFetcher({ url: settings.endpoint, enableIncrementalDelivery: false, wsClient })(params, options);

/** A connection for one subscription, because a connection has one caller. It is opened by `subscribe`. */
function subscriber(headers, text) {
  const url = new URL(settings.endpoint, window.location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  let run;
  const message = ({ type, payload }) => {
    if (type !== 'next') return;
    const { cost } = payload.extensions ?? {};
    run = run ? { ...run, event: { cost } } : { cost };
    keep(text, run);
  };
  return createClient({ url: url.href, connectionParams: headers, on: { message } });
}

function keep(text, run) {
  const others = [...lastRuns.get()].filter(([other]) => other !== text);
  lastRuns.set(new Map(others.slice(1 - most)).set(text, run));
}
