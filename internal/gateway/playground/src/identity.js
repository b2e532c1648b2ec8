// Who sends the page's requests: an identity that the visitor has chosen among those of the gateway, unless the headers
// editor has an Authorization of its own.
import { tryParseJSONC } from '@graphiql/react';
import { nameOf } from './claims.js';
import { identity } from './identities.js';

/** The headers of a request: those of the headers editor, and of the identity what the editor does not have. */
export function withIdentity(headers = {}, { headers: own } = identity.get()) {
  const missing = Object.entries(own).filter(([name]) => !nameOf(headers, name.toLowerCase()));
  return { ...Object.fromEntries(missing), ...headers };
}

/** Whether the headers editor decides who sends the requests. */
export const isOverridden = (headers = {}) => nameOf(headers, 'authorization') !== undefined;

/** The headers in the editor, or none if they are not JSON. */
export function headersIn(text) {
  try {
    return tryParseJSONC(text) ?? {};
  } catch {
    return {};
  }
}
