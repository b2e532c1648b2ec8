// The colour scheme that the visitor has chosen, for all pages; '' for that of the system.
import { createStore } from '../store.js';

// Where GraphiQL keeps it, which the playground is made of.
const key = 'graphiql:theme';

const known = ['light', 'dark'];

const stored = localStorage.getItem(key);

export const theme = createStore(known.includes(stored) ? stored : '');

export function chooseTheme(name) {
  if (name) localStorage.setItem(key, name);
  else localStorage.removeItem(key);
  theme.set(name);
}

function show() {
  document.documentElement.dataset.theme = theme.get();
}

theme.subscribe(show);
show();
