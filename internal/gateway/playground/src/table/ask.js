// Asks the gateway what is stored.
import { identity } from '../identities.js';
import { settings } from '../settings.js';
import { reach } from '../ui/alive.js';

/** The headers of all questions: those of the identity that is chosen in the playground, until a token is entered. */
let { headers } = identity.get();

export function setToken(token) {
  headers = token ? { Authorization: `Bearer ${token}` } : {};
}

/** Returns the answer to a question. The error has a code and a message for people, or is an Away. */
export async function ask(name, question) {
  const response = await reach(`${settings.table}/${name}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
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
