import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { GraphiQL } from 'graphiql';
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import './workers.js';
import 'graphiql/style.css';
import './page.css';

// The gateway writes its settings into the page as inert JSON, so that the page needs no inline script.
const { endpoint, defaultQuery, headers } = JSON.parse(document.getElementById('settings').textContent);

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
