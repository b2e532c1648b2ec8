import { useSyncExternalStore } from 'react';
import { chooseTheme, theme } from './theme.js';

export function ThemeChoice() {
  const chosen = useSyncExternalStore(theme.subscribe, theme.get);
  return (
    <select aria-label="Colour scheme" value={chosen} onChange={(event) => chooseTheme(event.target.value)}>
      <option value="">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
