// The identities of the gateway, and the one that the visitor has chosen, for all pages.
import { settings } from './settings.js';
import { createStore } from './store.js';

const anonymous = { name: 'anonymous', description: 'Not signed in.', headers: {} };
const key = 'partita:identity';

export const identities = settings.identities ?? [];

const named = (name) => identities.find((one) => one.name === name);

/** The chosen identity. */
export const identity = createStore(named(sessionStorage.getItem(key)) ?? identities[0] ?? anonymous);

export function choose(name) {
  identity.set(named(name) ?? identity.get());
  sessionStorage.setItem(key, identity.get().name);
}
