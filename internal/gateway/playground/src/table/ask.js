// Asks the gateway what is stored.
import { identity } from '../identities.js';
import { settings } from '../settings.js';
import { createStore } from '../store.js';
import { reach } from '../ui/alive.js';

/** The headers with a token that was entered; undefined for those of the chosen identity. */
export const entered = createStore(undefined);

/** The headers of all requests. */
export const headersNow = () => entered.get() ?? identity.get().headers;

export const enter = (token) => entered.set({ Authorization: `Bearer ${token}` });

// Who chooses an identity no longer wants the token.
identity.subscribe(() => entered.set(undefined));

/** Sends JSON as the chosen identity, and returns the JSON of the answer, which may have errors; without any, throws. */
export async function post(url, body) {
  const response = await reach(url, {
    method: 'POST',
    headers: { ...headersNow(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => undefined);
  // The status of a question that is wrong may be 200, as that of an operation.
  if (answer?.errors || response.ok && answer) return answer;
  throw new Error(`The gateway answers with the status ${response.status}.`);
}

/** Returns the answer to a question. The error has a code and a message for people, or is an Away. */
export async function ask(name, question) {
  const answer = await post(`${settings.table}/${name}`, question);
  if (!answer.errors) return answer;
  const [{ message, extensions }] = answer.errors;
  throw Object.assign(new Error(message), { code: extensions?.code });
}
