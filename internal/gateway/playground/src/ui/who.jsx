// Who sends the requests of a page: the choice among the gateway's identities, and what the token says.
import { useSyncExternalStore } from 'react';
import { choose, identities, identity } from '../identities.js';

/** `overridden` says why another token than that of the identity is sent; undefined if it is not. `children` are further ways to sign in. */
export function Who({ claims, overridden, children }) {
  const chosen = useSyncExternalStore(identity.subscribe, identity.get);
  return (
    <div className="signed-in" role="group" aria-label="Signed in">
      {identities.length > 0 && (
        <select
          aria-label="Send requests as"
          title={overridden ?? chosen.description}
          disabled={overridden !== undefined}
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
      {children}
    </div>
  );
}

const dayAndTime = { weekday: 'short', hour: '2-digit', minute: '2-digit' };

function Claims({ claims }) {
  if (!claims) return <span className="claims">anonymous</span>;
  const { subject, roles = [], tenant, expires } = claims;
  const expired = expires && expires < new Date();
  return (
    <span className="claims">
      <span className="subject" title={subject}>
        {subject ?? 'a token that is no JWT'}
      </span>
      {roles.length > 0 && <span>{roles.join(', ')}</span>}
      {tenant && <span>{`tenant ${tenant}`}</span>}
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
