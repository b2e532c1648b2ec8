// Whether the gateway answers: noticed by the requests of a page, and between them by asking for its health.
import { createStore } from '../store.js';

const health = '/healthz';
const quiet = 5000; // milliseconds without an answer, after which a page that is seen asks
const again = 1000; // milliseconds between two questions while the gateway is away

/** 'here', or 'away' from the first request without an answer to the next one with an answer. */
export const gateway = createStore('here');

/** The error of a request that the gateway has not answered. */
export class Away extends Error {
  constructor(cause) {
    super('The gateway does not answer.', { cause });
  }
}

let answered = performance.now();

/** The fetch of all pages. Without an answer, its error is an Away. */
export async function reach(url, init) {
  try {
    const response = await fetch(url, init);
    note('here');
    return response;
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    note('away');
    throw new Away(error);
  }
}

function note(state) {
  if (state === 'here') answered = performance.now();
  if (gateway.get() === state) return;
  gateway.set(state);
  if (state === 'away') setTimeout(retry, again);
}

/** Asks for the health. What stands before the gateway says by 502 to 504 that it is away. */
async function ask() {
  const response = await fetch(health, { cache: 'no-store' }).catch(() => undefined);
  note(response && response.status < 502 ? 'here' : 'away');
}

async function retry() {
  await ask();
  if (gateway.get() === 'away') setTimeout(retry, again);
}

const isDue = () => !document.hidden && gateway.get() === 'here' && performance.now() - answered >= quiet;

setInterval(() => isDue() && ask(), quiet);
for (const event of ['focus', 'online']) addEventListener(event, ask);
