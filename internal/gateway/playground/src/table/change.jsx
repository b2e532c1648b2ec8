// Changes of an object, by the mutations of the schema and as the chosen identity. Nothing is sent before its plan is seen.
import { useContext, useEffect, useId, useState } from 'react';
import { count } from '../numbers.js';
import { settings } from '../settings.js';
import { post } from './ask.js';
import { Page } from './key.jsx';

const pause = 300; // milliseconds without a keystroke, after which the plan is asked for

export function Change({ item }) {
  const { fail, served } = useContext(Page);
  const [mutations, setMutations] = useState([]);
  const [chosen, setChosen] = useState();
  useEffect(() => {
    let outdated = false;
    if (settings.plan) find(item, served).then((found) => outdated || setMutations(found), fail);
    return () => (outdated = true);
  }, [item, served]);
  if (mutations.length === 0) return null;
  const mutation = mutations.find(({ name }) => name === chosen);
  return (
    <section className="change" aria-label="Change by mutations">
      <h4>Change by mutations</h4>
      {mutations.map(({ name }) => (
        <button type="button" key={name} className="quiet" aria-pressed={name === chosen} onClick={() => setChosen(name === chosen ? undefined : name)}>
          {name}
        </button>
      ))}
      {mutation && <Mutation key={mutation.query} {...mutation} />}
    </section>
  );
}

/** The mutations that concern an item. What reads the schema is loaded with the first item. */
async function find(item, served) {
  const { mutationsOf, schemaOf } = await import('./mutations.js');
  return mutationsOf(await schemaOf(served), item);
}

function Mutation({ name, query, variables }) {
  const { again } = useContext(Page);
  const [text, setText] = useState(() => JSON.stringify(variables, null, 2));
  const [answer, setAnswer] = useState();
  const [sending, setSending] = useState(false);
  const { plan, errors, of } = usePlan(query, text);
  const id = useId();
  const isPlanned = of === text && plan && !errors;
  const send = async () => {
    setSending(true);
    const got = await post(settings.endpoint, { query, variables: JSON.parse(text) }).catch((error) => ({ errors: [error] }));
    setSending(false);
    setAnswer(got);
    if (isDone(got)) again(`${name} was carried out`);
  };
  return (
    <div className="mutation">
      <pre className="hint">{query}</pre>
      <label htmlFor={id}>Variables of {name}</label>
      <textarea id={id} value={text} rows={Math.min(16, text.split('\n').length)} spellCheck={false} onChange={(event) => setText(event.target.value)} />
      <div role="status" aria-label="Plan" aria-busy={of !== text}>
        {errors?.map(({ message }) => (
          <p key={message} className="wrong">
            {message}
          </p>
        ))}
        {plan && <Transaction plan={plan} />}
      </div>
      <button type="button" disabled={!isPlanned || sending} onClick={send}>
        Send {name}
      </button>
      <div role="status" aria-label="Answer">{answer && <pre>{JSON.stringify({ data: answer.data, errors: answer.errors }, null, 2)}</pre>}</div>
    </div>
  );
}

/** Whether an answer has no error, nor one for the user. */
const isDone = ({ data, errors }) => !errors && Object.values(data ?? {}).every((payload) => payload && !payload.userErrors?.length);

/** What the mutation writes, and what all of it takes at worst. */
function Transaction({ plan }) {
  const writes = plan.waves.flatMap(({ reads }) => reads.flatMap((read) => read.writes ?? []));
  return (
    <>
      <p>
        At worst {count(plan.requests, 'request')}, {count(plan.estimatedReadUnits, 'read unit')} and{' '}
        {count(plan.estimatedWriteUnits, 'write unit')}
        {writes.length > 0 ? `, for ${count(writes.length, 'item')} in one transaction:` : '. What Go code writes is not in the plan.'}
      </p>
      <ul className="writes" aria-label="Writes">
        {writes.map(({ action, item, key, indexes = [], units, times = 1 }, i) => (
          <li key={i}>
            <strong>{action}</strong> {item}
            {times > 1 && ` × ${times}`}, {count(units, 'write unit')} <code className="hint">{key}</code>
            {indexes.length > 0 && <small> in {indexes.join(', ')}</small>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The plan of what would be sent; `of` is the text of the variables that it is the plan of. */
function usePlan(query, text) {
  const [planned, setPlanned] = useState({});
  useEffect(() => {
    let outdated = false;
    const timer = setTimeout(async () => {
      const got = await planOf(query, text);
      if (!outdated) setPlanned({ ...got, of: text });
    }, pause);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [query, text]);
  return planned;
}

async function planOf(query, text) {
  try {
    return await post(settings.plan, { query, variables: JSON.parse(text) });
  } catch (error) {
    return { errors: [{ message: error instanceof SyntaxError ? `The variables are not JSON: ${error.message}` : error.message }] };
  }
}
