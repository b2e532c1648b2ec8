// Who sends the requests of the playground.
import { useSyncExternalStore } from 'react';
import { useHeadersEditorState } from '@graphiql/react';
import { claimsOf } from './claims.js';
import { identity } from './identities.js';
import { headersIn, isOverridden, withIdentity } from './identity.js';
import { problem, token } from './session.js';
import { settings } from './settings.js';
import { Who } from './ui/who.jsx';

const overridden = 'The headers editor has an Authorization, which is sent instead.';

export function SignedIn() {
  const chosen = useSyncExternalStore(identity.subscribe, identity.get);
  const [text] = useHeadersEditorState();
  const headers = headersIn(text);
  return (
    <Who claims={claimsOf(withIdentity(headers, chosen))} overridden={isOverridden(headers) ? overridden : undefined}>
      {settings.signIn && <ByProvider />}
    </Who>
  );
}

/** Signs in at the identity provider, and out. What is needed for it is loaded when it is used. */
function ByProvider() {
  const use = (name) => async () => (await import('./signin.js'))[name]();
  const failed = useSyncExternalStore(problem.subscribe, problem.get);
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
