import { useSyncExternalStore } from 'react';
import { gateway } from './alive.js';

/** Says that the gateway is away, until it is back. */
export function Absence() {
  const state = useSyncExternalStore(gateway.subscribe, gateway.get);
  return (
    <div className="absence" role="status" aria-label="Gateway">
      {state === 'away' && 'The gateway does not answer. This page goes on by itself when it is back.'}
    </div>
  );
}
