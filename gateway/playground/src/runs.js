// Keeps the cost of the last operation that was run on this page, so that the panel "Plan" shows it beside the estimate.
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { settings } from './settings.js';

const send = createGraphiQLFetcher({ url: settings.endpoint, enableIncrementalDelivery: false });
const listeners = new Set();
let last; // { request, cost }

/** Requests with the same text differ only in what the table contains when they are sent. */
export const requestOf = ({ query, variables, operationName }, headers) =>
  JSON.stringify([query, variables ?? {}, operationName ?? null, headers ?? {}]);

export async function fetcher(params, options) {
  const result = await send(params, options);
  if (params.operationName !== 'IntrospectionQuery') {
    last = { request: requestOf(params, options?.headers), cost: result.extensions?.cost };
    for (const listener of listeners) listener();
  }
  return result;
}

/** For useSyncExternalStore. */
export const lastRun = {
  get: () => last,
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
