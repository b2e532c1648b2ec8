// Who sends the page's requests: an identity that the visitor has chosen among those of the gateway, unless the headers
// editor has an Authorization of its own.
import { tryParseJSONC } from '@graphiql/react';
import { identity } from './identities.js';

const nameOf = (headers, name) => Object.keys(headers).find((other) => other.toLowerCase() === name);

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

/** What a request's token says. It is not checked here. Undefined for an anonymous request. */
export function claimsOf(headers) {
  const [, payload] = headers[nameOf(headers, 'authorization')]?.match(/^Bearer [^.]+\.([^.]+)\./i) ?? [];
  if (!payload) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const { sub, roles, exp } = JSON.parse(new TextDecoder().decode(bytes));
    return { subject: sub, roles: [roles ?? []].flat(), expires: exp && new Date(1000 * exp) };
  } catch {
    return {};
  }
}
