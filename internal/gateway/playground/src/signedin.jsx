// Who sends the requests.
import { useSyncExternalStore } from 'react';
import { useHeadersEditorState } from '@graphiql/react';
import { choose, identities, identity } from './identities.js';
import { claimsOf, headersIn, isOverridden, withIdentity } from './identity.js';

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
    </div>
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
