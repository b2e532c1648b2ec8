// What the token of a request says.
import { settings } from './settings.js';

/** The name in which headers have one that is given in lower case. */
export const nameOf = (headers, name) => Object.keys(headers).find((other) => other.toLowerCase() === name);

/** What a request's token says. It is not checked here. Undefined for an anonymous request. */
export function claimsOf(headers) {
  const [, payload] = headers[nameOf(headers, 'authorization')]?.match(/^Bearer [^.]+\.([^.]+)\./i) ?? [];
  if (!payload) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes));
    const { sub, roles, exp } = claims;
    return { subject: sub, roles: [roles ?? []].flat(), tenant: tenantIn(claims), expires: exp && new Date(1000 * exp) };
  } catch {
    return {};
  }
}

/** The claim with the tenant, which may be nested, in a table with tenants. */
function tenantIn(claims) {
  const name = settings.tenantClaim;
  return name && (claims[name] ?? name.split('.').reduce((within, key) => within?.[key], claims));
}
