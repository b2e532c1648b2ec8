// Who sends the requests.
import { useSyncExternalStore } from 'react';
import { useHeadersEditorState } from '@graphiql/react';
import { choose, identities, identity } from './identities.js';
import { claimsOf, headersIn, isOverridden, withIdentity } from './identity.js';
import { problem, token } from './session.js';
import { settings } from './settings.js';

export function SignedIn() {
  const chosen = useSyncExternalStore(identity.subscribe, identity.get);
  const [text] = useHeadersEditorState();
  const headers = headersIn(text);
  const overridden = isOverridden(headers);
  const claims = claimsOf(withIdentity(headers, chosen));
  return (
    <div className="signed-in" role="group" aria-label="Signed in">
      {identities.length > 0 && (
        <select
          aria-label="Send requests as"
          title={overridden ? 'The headers editor has an Authorization, which is sent instead.' : chosen.description}
          disabled={overridden}
          value={chosen.name}
          onChange={(event) => choose(event.target.value)}
        >
          {identities.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Claims claims={claims} />
      {settings.signIn && <ByProvider />}
    </div>
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

const dayAndTime = { weekday: 'short', hour: '2-digit', minute: '2-digit' };

function Claims({ claims }) {
  if (!claims) return <span className="claims">anonymous</span>;
  const { subject, roles = [], expires } = claims;
  const expired = expires && expires < new Date();
  return (
    <span className="claims">
      <span className="subject" title={subject}>
        {subject ?? 'a token that is no JWT'}
      </span>
      {roles.length > 0 && <span>{roles.join(', ')}</span>}
      {expires && (
        <time
          dateTime={expires.toISOString()}
          title={expires.toLocaleString()}
          className={expired ? 'expired' : undefined}
        >
          {expired ? 'expired' : `until ${expires.toLocaleString([], dayAndTime)}`}
        </time>
      )}
    </span>
  );
}
