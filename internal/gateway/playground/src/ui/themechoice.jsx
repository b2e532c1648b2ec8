import { useSyncExternalStore } from 'react';
import { choice, choose } from './theme.js';

export function ThemeChoice() {
  const chosen = useSyncExternalStore(choice.subscribe, choice.get);
  return (
    <select aria-label="Colour scheme" value={chosen} onChange={(event) => choose(event.target.value)}>
      <option value="">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
