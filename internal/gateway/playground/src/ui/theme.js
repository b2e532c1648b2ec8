// The colour scheme of all pages: that of the system, unless the visitor has chosen another one.
import { createStore } from '../store.js';

const key = 'partita:theme';

const known = ['light', 'dark'];

const stored = localStorage.getItem(key);
const system = matchMedia('(prefers-color-scheme: dark)');

/** What is chosen; '' for the system's. */
export const choice = createStore(known.includes(stored) ? stored : '');

const shown = () => choice.get() || (system.matches ? 'dark' : 'light');

/** 'light' or 'dark'. */
export const scheme = createStore(shown());

export function choose(name) {
  localStorage.setItem(key, name);
  choice.set(name);
  show();
}

function show() {
  scheme.set(shown());
  document.documentElement.dataset.theme = scheme.get();
}

system.addEventListener('change', show);
show();
