// Sends operations, and keeps what the last ones consumed, so that the panel "Plan" shows it beside the estimate.
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { getOperationAST } from 'graphql';
import { createClient } from 'graphql-ws';
import { withFacts } from './facts.js';
import { withIdentity } from './identity.js';
import { settings } from './settings.js';
import { createStore } from './store.js';
import { Away, reach } from './ui/alive.js';

const most = 50; // runs that are kept
const measuring = settings.plan && { 'Partita-Plan': 'measured' };
const ask = createGraphiQLFetcher({ url: settings.endpoint, enableIncrementalDelivery: false, fetch: reach });

/** Sends a request. GraphiQL would show the stack of an error. */
async function send(params, options) {
  try {
    return await ask(params, options);
  } catch (error) {
    if (!(error instanceof Away)) throw error;
    return { errors: [{ message: error.message }] };
  }
}

/**
 * The last runs: { cost, measured } by the text of the request. That of a subscription is of its first state, with the
 * last event as `event`.
 */
export const lastRuns = createStore(new Map());

/** Requests with the same text differ only in what the table contains when they are sent. */
export const requestOf = ({ query, variables, operationName }, headers) =>
  JSON.stringify([query, variables ?? {}, operationName ?? null, headers ?? {}]);

/**
 * A request whose document has the variable $idempotencyKey gets a new key, unless it has one: whoever runs a mutation
 * again here wants it to be carried out again. crypto.randomUUID needs HTTPS.
 */
export function withKey({ variables, ...params }) {
  if (!/\$idempotencyKey\b/.test(params.query) || variables?.idempotencyKey !== undefined) return { ...params, variables };
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const idempotencyKey = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { ...params, variables: { ...variables, idempotencyKey } };
}

export async function fetcher(params, options) {
  const headers = withIdentity(options?.headers);
  if (params.operationName === 'IntrospectionQuery') return withFacts(send(params, { ...options, headers }));
  const text = requestOf(params, headers);
  const operation = options?.documentAST && getOperationAST(options.documentAST, params.operationName);
  if (operation?.operation === 'subscription') return subscribe(params, headers, text);
  const result = await send(withKey(params), { ...options, headers: { ...headers, ...measuring } });
  keep(text, runOf(result));
  return result;
}

/** What a run consumed. It is not shown with the answer, because it is in the picture. */
function runOf({ extensions = {} }) {
  const { cost, plan: measured } = extensions;
  delete extensions.plan;
  return { cost, measured };
}

/** The events of a subscription, over a connection of its own, because a connection has one caller. */
function subscribe(params, headers, text) {
  const url = new URL(settings.endpoint, window.location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  const events = createClient({ url: url.href, connectionParams: { ...headers, ...measuring } }).iterate(params);
  const next = events.next.bind(events);
  let run;
  events.next = async () => {
    const event = await next().catch((reason) => {
      throw reason instanceof CloseEvent ? new Error(`The connection was closed: ${reason.code} ${reason.reason}`) : reason;
    });
    if (event.done) return event;
    const own = runOf(event.value);
    run = run ? { ...run, event: own } : own;
    keep(text, run);
    return event;
  };
  return events;
}

function keep(text, run) {
  const others = [...lastRuns.get()].filter(([other]) => other !== text);
  lastRuns.set(new Map(others.slice(1 - most)).set(text, run));
}
