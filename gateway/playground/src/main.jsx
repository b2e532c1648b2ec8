import './styles.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { GraphiQL } from 'graphiql';
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { settings } from './settings.js';
import './workers.js';
import 'graphiql/style.css';
import './page.css';

const { endpoint, defaultQuery, headers } = settings;

createRoot(document.getElementById('graphiql')).render(
  <StrictMode>
    <GraphiQL
      fetcher={createGraphiQLFetcher({ url: endpoint })}
      defaultQuery={defaultQuery || undefined}
      defaultHeaders={headers && JSON.stringify(headers, null, 2)}
      defaultEditorToolsVisibility={headers ? 'headers' : 'variables'}
    />
  </StrictMode>,
);
