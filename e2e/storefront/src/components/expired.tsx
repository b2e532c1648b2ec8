import { useState } from 'react';
import { signIn, signOut, useHasExpired, useSession } from '../session';
import { Dialog } from './dialog';

/** The gateway does not trust the token any more: the page waits until the same person is signed in again. */
export function Expired() {
  const session = useSession();
  const hasExpired = useHasExpired();
  const [error, setError] = useState<string>();
  if (!session || !hasExpired) return null;
  return (
    <Dialog title="Please sign in again">
      <p>You were signed in as {session.name} for a long time. Nothing is lost: the page goes on where it was.</p>
      {error && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
      <div className="actions">
        <button className="button" onClick={() => signIn(session).catch((reason: Error) => setError(reason.message))}>
          Sign in as {session.name}
        </button>
        <button className="button quiet" onClick={signOut}>
          Sign out
        </button>
      </div>
    </Dialog>
  );
}
