import { useSyncExternalStore } from 'react';
import { problem, token } from '../session.js';
import { settings } from '../settings.js';

/**
 * Signs in at the identity provider, and out, where the gateway has one. What is needed for it is loaded when it is used.
 * The provider leads back to the playground.
 */
export function ByProvider() {
  const use = (name) => async () => (await import('../signin.js'))[name]();
  const failed = useSyncExternalStore(problem.subscribe, problem.get);
  if (!settings.signIn || !settings.playground) return null;
  return (
    <>
      <button type="button" onClick={use(token ? 'signOut' : 'signIn')}>
        {token ? 'Sign out' : 'Sign in'}
      </button>
      <span role="alert" className="expired">
        {failed}
      </span>
    </>
  );
}
