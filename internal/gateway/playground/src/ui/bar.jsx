// The bar of each page: the way to the others, what the page adds at its end, and the colour scheme.
import { settings } from '../settings.js';
import { ThemeChoice } from './themechoice.jsx';

const docs = 'https://github.com/partita/partita/tree/main/docs';

// As Settings.Links of package playground has them, which the pages that are one file are made with.
const pages = { playground: 'Playground', design: 'Design', table: 'Table', figures: 'Figures', sessions: 'Agents' };

/** `skip` is the id of what the visitor came for, with its name; `current` is the page's own name among the settings. */
export function Bar({ current, skip: [id, name], children }) {
  const links = Object.entries(pages).filter(([page]) => settings[page]);
  return (
    <header className="bar">
      <a className="skip" href={`#${id}`}>
        Skip to the {name}
      </a>
      <strong>Partita</strong>
      <nav aria-label="Pages">
        <ul>
          {links.map(([page, title]) => (
            <li key={page}>
              <a href={settings[page]} aria-current={page === current ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
          <li>
            <a href={docs} target="_blank" rel="noreferrer">
              Docs
            </a>
          </li>
        </ul>
      </nav>
      <div className="end">
        {children}
        <ThemeChoice />
      </div>
    </header>
  );
}
