import { firstValueFrom, Subject } from 'rxjs';
import { createStore, useStore } from './store';

/** Who is signed in. */
export type Session = { userId: string; name: string; isStaff?: boolean; token: string };

type State = { session: Session | null; hasExpired: boolean };

// For one tab, and not longer: a script that does not belong here could read it.
const key = 'session';

const store = createStore<State>({ session: JSON.parse(sessionStorage.getItem(key) ?? 'null'), hasExpired: false });
const renewals = new Subject<void>();

export const useSession = () => useStore(store).session;
export const useHasExpired = () => useStore(store).hasExpired;
export const token = () => store.get().session?.token;

function set(session: Session | null) {
  if (session) sessionStorage.setItem(key, JSON.stringify(session));
  else sessionStorage.removeItem(key);
  store.set({ session, hasExpired: false });
}

/** Gets a token for a demo user. With an identity provider, this would be its sign-in page. */
export async function signIn({ userId, name, isStaff }: Omit<Session, 'token'>) {
  const response = await fetch('/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: userId, isStaff }),
  });
  if (!response.ok) throw new Error('Signing in did not work. Please try again.');
  const { token } = (await response.json()) as { token: string };
  set({ userId, name, isStaff, token });
  renewals.next();
}

export const signOut = () => set(null);

/** The gateway does not trust the token any more. Resolves once the same person is signed in again. */
export function expired() {
  store.set({ ...store.get(), hasExpired: true });
  return firstValueFrom(renewals);
}
