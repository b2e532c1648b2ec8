import './styles.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from '@graphiql/plugin-doc-explorer';
import { HISTORY_PLUGIN, HistoryStore } from '@graphiql/plugin-history';
import { GraphiQLProvider, Tooltip } from '@graphiql/react';
import { themes } from './looks.js';
import { Page } from './page.jsx';
import { planPlugin } from './plan.jsx';
import { fetcher } from './runs.js';
import { isReturning } from './session.js';
import { settings } from './settings.js';
import { firstTabs } from './tabs.js';
import './workers.js';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import './ui/tokens.css';
import './ui/base.css';
import './graphiql.css';
import './page.css';
import './picture.css';

const documentation = { ...DOC_EXPLORER_PLUGIN, title: 'Documentation' };
const plugins = [...(settings.plan ? [planPlugin] : []), documentation, HISTORY_PLUGIN];

// A visitor who has signed in goes back to where that began. Who could not sees the playground, and why.
if (isReturning()) await (await import('./signin.js')).finish();

createRoot(document.getElementById('page')).render(
  <StrictMode>
    <GraphiQLProvider
      fetcher={fetcher}
      plugins={plugins}
      referencePlugin={documentation}
      visiblePlugin={plugins[0]}
      editorTheme={themes}
      {...firstTabs()}
    >
      <HistoryStore>
        <DocExplorerStore>
          <Tooltip.Provider>
            <Page />
          </Tooltip.Provider>
        </DocExplorerStore>
      </HistoryStore>
    </GraphiQLProvider>
  </StrictMode>,
);
