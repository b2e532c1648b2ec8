// While the gateway follows the files of a schema: loads the schema again when it has changed, shows what is wrong with
// the files until it is corrected, and what was migrated in the table.
import { useEffect, useState } from 'react';
import { useGraphiQLActions } from '@graphiql/react';
import { followSchema } from './schemachanges.js';

export function Changes({ url }) {
  const { introspect } = useGraphiQLActions();
  const [problem, setProblem] = useState();
  const [migrated, setMigrated] = useState();
  useEffect(
    () =>
      followSchema(url, (state, isOther) => {
        if (isOther) introspect();
        setProblem(state.problem);
        setMigrated(state.migrated);
      }),
    [url, introspect],
  );
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
