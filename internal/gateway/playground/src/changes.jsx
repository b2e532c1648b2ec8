// While the gateway follows the files of a schema: loads the schema again when it has changed, shows what is wrong with
// the files until it is corrected, and what was migrated in the table.
import { useEffect, useRef, useState } from 'react';
import { useGraphiQLActions } from '@graphiql/react';

export function Changes({ url }) {
  const { introspect } = useGraphiQLActions();
  const [problem, setProblem] = useState();
  const [migrated, setMigrated] = useState();
  const schema = useRef(undefined);
  useEffect(() => {
    const events = new EventSource(url);
    events.onmessage = ({ data }) => {
      const state = JSON.parse(data);
      if (schema.current !== undefined && schema.current !== state.schema) introspect();
      schema.current = state.schema;
      setProblem(state.problem);
      setMigrated(state.migrated);
    };
    return () => events.close();
  }, [url, introspect]);
  return (
    <div className="changes">
      <div role="alert">
        {problem && <Notice title="The last valid schema is served." text={problem} hide={setProblem} />}
      </div>
      <div role="status" className="done">
        {migrated && <Notice title="The table has been migrated." text={migrated.join('\n')} hide={setMigrated} />}
      </div>
    </div>
  );
}

function Notice({ title, text, hide }) {
  return (
    <>
      <button type="button" onClick={() => hide()}>
        Hide
      </button>
      <strong>{title}</strong>
      <pre>{text}</pre>
    </>
  );
}
