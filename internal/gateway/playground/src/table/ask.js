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

/** Returns the answer to a question. The error has a code and a message for people, or is an Away. */
export async function ask(name, question) {
  const response = await reach(`${settings.table}/${name}`, {
    method: 'POST',
    headers: { ...headersNow(), 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  const answer = await response.json().catch(() => undefined);
  // The status of a question that is wrong may be 200, as that of an operation.
  if (response.ok && answer && !answer.errors) return answer;
  const [first] = answer?.errors ?? [];
  const error = new Error(first?.message ?? `The gateway answers with the status ${response.status}.`);
  error.code = first?.extensions?.code;
  throw error;
}
