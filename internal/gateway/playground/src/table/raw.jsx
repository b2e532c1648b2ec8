// Changes of single items without the mutations of the schema, on the local engine only. Each is checked before, and if
// it breaks something it is made by a second click; what is wrong afterwards is shown with its fix.
import { useContext, useId, useState } from 'react';
import { ask } from './ask.js';
import { Page } from './key.jsx';
import { isWhole, storedItem } from './stored.js';

/** Edits or deletes an item. */
export function EditItem({ item }) {
  const { design } = useContext(Page);
  if (!design.editable || item.partial) return null;
  return (
    <section className="change" aria-label="The item itself">
      <h4>The item itself</h4>
      {isWhole(item) ? (
        <Opened title="Edit as DynamoDB JSON">
          <Raw key={JSON.stringify(item.attributes)} was={storedItem(item)} />
        </Opened>
      ) : (
        <p className="hint">It cannot be edited here, because a value is longer than what this page shows.</p>
      )}
    </section>
  );
}

/** Adds an item to a partition of the table. */
export function AddItem({ place: { pk }, like }) {
  const { design } = useContext(Page);
  if (!design.editable) return null;
  const [table] = design.indexes;
  const given = like?.attributes.find(({ name }) => name === table.pk);
  const item = { [table.pk]: { [given?.type ?? 'S']: pk } };
  if (table.sk) item[table.sk] = { [table.numberSK ? 'N' : 'S']: '' };
  return (
    <section className="change" aria-label="A further item">
      <Opened title="Add an item">
        <Raw was={null} begin={item} />
      </Opened>
    </section>
  );
}

function Opened({ title, children }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {title}
      </button>
      {open && children}
    </>
  );
}

function Raw({ was, begin = was }) {
  const [text, setText] = useState(() => JSON.stringify(begin, null, 2));
  const { send, problem, seen, sending, clear } = useChange(was);
  const id = useId();
  const edit = (event) => {
    setText(event.target.value);
    clear();
  };
  const labelOf = (verb) => (seen?.verb === verb ? `${verb} the item all the same` : `${verb} the item`);
  return (
    <div className="mutation">
      <p className="hint">Nothing else follows: neither copies nor claims nor counters. What the change breaks is shown before it is made.</p>
      <label htmlFor={id}>The item as DynamoDB JSON</label>
      <textarea id={id} value={text} rows={Math.min(24, text.split('\n').length)} spellCheck={false} onChange={edit} />
      <div role="status" aria-label="Check" aria-busy={sending}>
        {problem && <p className="wrong">{problem}</p>}
        {seen && (
          <>
            <p>Nothing was written. This would break:</p>
            <Findings findings={seen.breaks} />
          </>
        )}
      </div>
      <p>
        <button type="button" disabled={sending} onClick={() => send('Write', text)}>
          {labelOf('Write')}
        </button>{' '}
        {was && (
          <button type="button" disabled={sending} onClick={() => send('Delete')}>
            {labelOf('Delete')}
          </button>
        )}
      </p>
    </div>
  );
}

/** Sends a change of an item. `seen` is what a change breaks that was not made, and becomes one by being sent again. */
function useChange(was) {
  const { again } = useContext(Page);
  const [problem, setProblem] = useState();
  const [seen, setSeen] = useState();
  const [sending, setSending] = useState(false);
  const clear = () => {
    setProblem(undefined);
    setSeen(undefined);
  };
  const send = async (verb, text) => {
    setSending(true);
    clear();
    try {
      const item = text === undefined ? null : JSON.parse(text);
      const { written, breaks, found } = await ask('change', { was, item, despite: seen?.verb === verb });
      if (written) again(text === undefined ? 'The item was deleted' : 'The item was written', found);
      else setSeen({ verb, breaks });
    } catch (error) {
      setProblem(error instanceof SyntaxError ? `The item is not JSON: ${error.message}` : error.message);
    }
    setSending(false);
  };
  return { send, problem, seen, sending, clear };
}

/** What is wrong with items, and what `table repair` does about it. */
export const Findings = ({ findings }) => (
  <ul className="problems">
    {findings.map(({ kind, pk, sk, problem, fix, needs }) => (
      <li key={kind + pk + sk + problem}>
        <code>{kind}</code> <code>{`${pk} ${sk}`.trim()}</code> {problem}
        {fix && <small className="field">{`\`table repair${needs ? ` ${needs}` : ''}\` does: ${fix}`}</small>}
      </li>
    ))}
  </ul>
);
