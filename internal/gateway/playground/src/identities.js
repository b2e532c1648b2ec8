// The identities of the gateway, and the one that the visitor has chosen, for all pages.
import { identityKey, token } from './session.js';
import { settings } from './settings.js';
import { createStore } from './store.js';

const anonymous = { name: 'anonymous', description: 'Not signed in.', headers: {} };

const signedIn = token && { name: 'signed in', description: 'As the identity provider says.', headers: { Authorization: `Bearer ${token}` } };

export const identities = [...(signedIn ? [signedIn, anonymous] : []), ...(settings.identities ?? [])];

const named = (name) => identities.find((one) => one.name === name);

/** The chosen identity. */
export const identity = createStore(named(sessionStorage.getItem(identityKey)) ?? identities[0] ?? anonymous);

export function choose(name) {
  identity.set(named(name) ?? identity.get());
  sessionStorage.setItem(identityKey, identity.get().name);
}
