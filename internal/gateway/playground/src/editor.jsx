// The operation with its variables and headers.
import { useEffect, useState } from 'react';
import { ExecuteButton, HeaderEditor, KEY_MAP, pick, QueryEditor, useGraphiQL, useGraphiQLActions, useMonaco, VariableEditor } from '@graphiql/react';
import { useLeaving } from './leaving.js';
import { useFont } from './looks.js';

export function Editor() {
  const isLoaded = useMonaco(({ monaco }) => Boolean(monaco));
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL(
    pick('queryEditor', 'variableEditor', 'headerEditor', 'responseEditor'),
  );
  const editors = [queryEditor, variableEditor, headerEditor, responseEditor];
  useFont(editors);
  useLeaving(editors);
  return (
    <div className="editors">
      <Commands />
      <section className="graphiql-query-editor" aria-label="Operation">
        {isLoaded ? <QueryEditor aria-describedby="leaving" /> : <p className="hint">Loading the editor …</p>}
      </section>
      <p id="leaving" className="visually-hidden">
        Enter begins to edit. In the editor, Escape and then Tab lead out of it.
      </p>
      <Tools />
    </div>
  );
}

function Commands() {
  const { prettifyEditors, mergeQuery, copyQuery } = useGraphiQLActions();
  return (
    <div className="commands" role="group" aria-label="Commands">
      <ExecuteButton />
      <button type="button" title={KEY_MAP.prettify.key} onClick={prettifyEditors}>
        Prettify
      </button>
      <button type="button" title={`Write the fragments into the operation (${KEY_MAP.mergeFragments.key})`} onClick={mergeQuery}>
        Merge
      </button>
      <button type="button" title={KEY_MAP.copyQuery.key} onClick={copyQuery}>
        Copy
      </button>
    </div>
  );
}

const tools = { variables: ['Variables', VariableEditor], headers: ['Headers', HeaderEditor] };

/** The variables and the headers. GraphiQL needs both editors, so what is not shown is hidden. */
function Tools() {
  const [open, setOpen] = useState();
  const filled = useFilled();
  return (
    <section className="tools" aria-label="Variables and headers">
      <div className="tool-names">
        {Object.entries(tools).map(([name, [title]]) => (
          <button key={name} type="button" aria-expanded={open === name} onClick={() => setOpen(open === name ? undefined : name)}>
            {title}
            {filled[name] && <span className="filled" title="not empty" />}
          </button>
        ))}
      </div>
      {Object.entries(tools).map(([name, [title, Tool]]) => (
        <div key={name} className="graphiql-editor-tool" role="group" aria-label={title} hidden={open !== name}>
          <Tool />
        </div>
      ))}
    </section>
  );
}

/** Which of the tools have a text. */
function useFilled() {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const [filled, setFilled] = useState({});
  useEffect(() => {
    setFilled(Object.fromEntries(Object.keys(tools).map((name) => [name, Boolean(tab?.[name]?.trim())])));
  }, [tab]);
  return filled;
}
