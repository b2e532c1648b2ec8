import { useSyncExternalStore } from 'react';

/** A value outside of React, which links set and components show. */
export function createStore<T>(initial: T) {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next: T) {
      value = next;
      listeners.forEach((listener) => listener());
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Store<T> = ReturnType<typeof createStore<T>>;

export const useStore = <T>(store: Store<T>) => useSyncExternalStore(store.subscribe, store.get);
