// Subscribes by plain HTTP, as docs/reference/http.md describes it: server-sent events, without a library.
import assert from 'node:assert/strict';
import { endpoint, origin } from './gateway.mjs';
import { json } from './shop.mjs';

/**
 * Subscribes until the test ends. `next` waits for the next message, which is a response of GraphQL with its `id`, and
 * `close` ends the subscription. `after` is the id of a message after which to resume.
 */
export async function subscribe(t, query, variables, { as = {}, after, url = endpoint } = {}) {
  const aborted = new AbortController();
  t.after(() => aborted.abort());
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': json, accept: 'text/event-stream', ...as, ...(after && { 'last-event-id': after }) },
    body: JSON.stringify({ query, variables }),
    signal: aborted.signal,
  });
  const messages = response.headers.get('content-type').startsWith('text/event-stream')
    ? messagesOf(response.body)
    : refused(response);
  return {
    async next() {
      const { value, done } = await messages.next();
      assert.ok(!done, 'the subscription has ended');
      return value;
    },
    close: () => aborted.abort(),
  };
}

async function* messagesOf(body) {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split('\n\n');
    text = events.pop();
    for (const event of events) {
      const fields = Object.fromEntries(
        event.split('\n').map((line) => line.match(/^(\w*):? ?(.*)$/s).slice(1)),
      );
      if (fields.event === 'next') yield { ...JSON.parse(fields.data), id: fields.id };
    }
  }
}

async function* refused(response) {
  yield await response.json();
}

/** Changes of a first state may still come for so many milliseconds after it: docs/explanation/live.md#resuming. */
const settled = 5000;

/** Waits until a gateway has read the stream of its table clearly past what has been received by now. */
export async function settle(gateway = origin) {
  const until = Date.now() + settled;
  while (!((await readUntil(gateway)) > until)) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The time until which a gateway has read the stream, at least; NaN if it has not been read yet. */
async function readUntil(gateway) {
  const now = Date.now();
  const metrics = await (await fetch(`${gateway}/metrics`)).text();
  const [, lag] = metrics.match(/^partita_stream_lag_seconds (.*)$/m); // +Inf is not a number
  return now - 1000 * lag;
}
