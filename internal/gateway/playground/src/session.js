// What this tab of the browser knows of the visitor.
import { settings } from './settings.js';
import { createStore } from './store.js';

/** The name of the chosen identity. */
export const identityKey = 'partita:identity';
/** The token of a visitor who has signed in at the identity provider. */
export const tokenKey = 'partita:token';
/** What was begun at the identity provider. */
export const pendingKey = 'partita:signing-in';

export const token = sessionStorage.getItem(tokenKey) ?? undefined;

/** Why the visitor could not be signed in. */
export const problem = createStore(undefined);

/** Whether the identity provider has opened the page. */
export const isReturning = () =>
  settings.signIn !== undefined && sessionStorage.getItem(pendingKey) !== null && new URLSearchParams(location.search).has('state');
