// The operations that the editor begins with.
import { settings } from './settings.js';

/** What GraphiQL begins with. A link, /?query=...&variables=..., opens a tab once: what is edited then survives a reload. */
export function firstTabs() {
  const { searchParams, pathname } = new URL(window.location.href);
  const query = searchParams.get('query');
  if (!query) return { defaultTabs: settings.tabs };
  window.history.replaceState(null, '', pathname);
  const tab = { query, variables: searchParams.get('variables') ?? '' };
  // GraphiQL stores what is edited, and opens the tab with this text at the next visit.
  for (const [name, text] of Object.entries(tab)) localStorage.setItem(`graphiql:${name}`, text);
  return { initialQuery: query, initialVariables: tab.variables, defaultTabs: [tab, ...(settings.tabs ?? [])] };
}
