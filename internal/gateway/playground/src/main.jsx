import './styles.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { Changes } from './changes.jsx';
import { Header } from './header.jsx';
import { planPlugin } from './plan.jsx';
import { fetcher } from './runs.js';
import { settings } from './settings.js';
import { firstTabs } from './tabs.js';
import './workers.js';
import 'graphiql/style.css';
import './page.css';
import './picture.css';

const { plan, changes } = settings;
const plugins = plan ? [HISTORY_PLUGIN, planPlugin] : [HISTORY_PLUGIN];

// The panel "Plan" is open until it is closed. GraphiQL itself does not distinguish a closed panel from a first visit.
const panelKey = 'partita:panel';
const isClosed = localStorage.getItem(panelKey) === 'closed';
const remember = (plugin) => localStorage.setItem(panelKey, plugin ? 'open' : 'closed');

// The panel needs more than GraphiQL's quarter of the page, and the editor more than the response.
for (const [key, flex] of [['docExplorerFlex', '0.72'], ['editorFlex', '1.25']]) {
  const name = `graphiql:${key}`;
  if (localStorage.getItem(name) === null) localStorage.setItem(name, flex);
}

const tabs = firstTabs();

createRoot(document.getElementById('graphiql')).render(
  <StrictMode>
    <GraphiQL
      fetcher={fetcher}
      plugins={plugins}
      visiblePlugin={plan && !isClosed ? planPlugin : undefined}
      onTogglePluginVisibility={remember}
      {...tabs}
      defaultEditorToolsVisibility={false}
    >
      <GraphiQL.Logo>
        <Header />
      </GraphiQL.Logo>
      {changes && <Changes url={changes} />}
    </GraphiQL>
  </StrictMode>,
);
