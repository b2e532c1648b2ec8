import './styles.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { Changes } from './changes.jsx';
import { planPlugin } from './plan.jsx';
import { fetcher } from './runs.js';
import { settings } from './settings.js';
import './workers.js';
import 'graphiql/style.css';
import './page.css';

const { plan, changes, defaultQuery, headers } = settings;
const plugins = plan ? [HISTORY_PLUGIN, planPlugin] : [HISTORY_PLUGIN];

createRoot(document.getElementById('graphiql')).render(
  <StrictMode>
    <GraphiQL
      fetcher={fetcher}
      plugins={plugins}
      defaultQuery={defaultQuery || undefined}
      defaultHeaders={headers && JSON.stringify(headers, null, 2)}
      defaultEditorToolsVisibility={headers ? 'headers' : 'variables'}
    >
      {changes && <Changes url={changes} />}
    </GraphiQL>
  </StrictMode>,
);
