// Who sends the requests of the playground.
import { useSyncExternalStore } from 'react';
import { useHeadersEditorState } from '@graphiql/react';
import { claimsOf } from './claims.js';
import { identity } from './identities.js';
import { headersIn, isOverridden, withIdentity } from './identity.js';
import { ByProvider } from './ui/provider.jsx';
import { Who } from './ui/who.jsx';

const overridden = 'The headers editor has an Authorization, which is sent instead.';

export function SignedIn() {
  const chosen = useSyncExternalStore(identity.subscribe, identity.get);
  const [text] = useHeadersEditorState();
  const headers = headersIn(text);
  return (
    <Who claims={claimsOf(withIdentity(headers, chosen))} overridden={isOverridden(headers) ? overridden : undefined}>
      <ByProvider />
    </Who>
  );
}
