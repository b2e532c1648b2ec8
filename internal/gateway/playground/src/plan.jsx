// The panel "Plan": what the operation in the editor would send to the table, by waves, and what it cost when it was
// run.
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import {
  pick,
  tryParseJSONC,
  useGraphiQL,
  useGraphiQLActions,
  useHeadersEditorState,
  useOperationsEditorState,
  useVariablesEditorState,
} from '@graphiql/react';
import { identity } from './identities.js';
import { withIdentity } from './identity.js';
import { Picture } from './picture.jsx';
import { lastRuns, requestOf, withKey } from './runs.js';
import { settings } from './settings.js';

const pause = 300; // milliseconds without a keystroke, after which the plan is asked for

export const planPlugin = { title: 'Plan', icon: PlanIcon, content: Plan };

function Plan() {
  const { operations = [], operationName } = useGraphiQL(pick('operations', 'operationName'));
  const { setOperationName } = useGraphiQLActions();
  const runs = useSyncExternalStore(lastRuns.subscribe, lastRuns.get);
  const caller = useSyncExternalStore(identity.subscribe, identity.get);
  const [query] = useOperationsEditorState();
  const [variables] = useVariablesEditorState();
  const [headers] = useHeadersEditorState();
  const request = read(query, variables, headers, operationName, caller);
  const { plan, errors = [], of } = usePlan(request);
  const run = (of === request.text && runs.get(request.text)) || {};
  return (
    <section aria-label="Plan" className="plan">
      <div className="plan-title">Plan</div>
      {operations.length > 1 && (
        <Operations names={operations.map(({ name }) => name?.value)} chosen={operationName} choose={setOperationName} />
      )}
      <div role="status">
        {errors.map(({ message }) => (
          <p className="plan-error" key={message}>
            {message}
          </p>
        ))}
      </div>
      {plan?.event && <h2>The first state</h2>}
      {plan && (
        <Part key={of} name="Picture of the plan" plan={plan} run={run}>
          {!run.cost && <p className="plan-hint">Execute the operation to see what it takes.</p>}
        </Part>
      )}
      {plan?.event && (
        <>
          <h2>Each event</h2>
          <Part key={of} name="Picture of the plan of each event" plan={plan.event} run={run.event ?? {}} />
        </>
      )}
    </section>
  );
}

/** The plan of an operation, or of a part of a subscription. */
const Part = ({ name, plan, run: { cost, measured }, children }) => (
  <>
    <Totals plan={plan} cost={cost} />
    {children}
    <Picture name={name} plan={plan} measured={measured} />
    {plan.notReady?.map(({ field, reason }) => (
      <p className="plan-error" key={field + reason}>
        NOT_READY {field}: {reason}
      </p>
    ))}
    {plan.cut && <p>And more: fragments repeat what they select.</p>}
  </>
);

/** What would be sent if the operation were run now. */
function read(query, variables, headers, operationName, caller) {
  try {
    const params = { query, variables: tryParseJSONC(variables), operationName };
    const parsed = withIdentity(tryParseJSONC(headers), caller);
    return { params, headers: parsed, text: requestOf(params, parsed) };
  } catch (error) {
    return { text: error.message, error: `The variables or the headers ${error.message}` };
  }
}

function usePlan(request) {
  const [answer, setAnswer] = useState({});
  useEffect(() => {
    let outdated = false;
    const timer = setTimeout(async () => {
      const got = await ask(request);
      if (!outdated) setAnswer({ ...got, of: request.text });
    }, pause);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [request.text]);
  return answer;
}

async function ask({ params, headers, error }) {
  if (error) return { errors: [{ message: error }] };
  if (!params.query.trim()) return {};
  try {
    const response = await fetch(settings.plan, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(withKey(params)),
    });
    return await response.json();
  } catch (error) {
    return { errors: [{ message: `The gateway does not answer: ${error.message}` }] };
  }
}

function Operations({ names, chosen, choose }) {
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>Operation </label>
      <select id={id} value={chosen ?? ''} onChange={(event) => choose(event.target.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </p>
  );
}

function Totals({ plan, cost }) {
  const columns = [
    ['Waves', plan.waves.length, cost?.waves],
    ['Requests', plan.requests, cost?.requests],
    ['Read units', plan.estimatedReadUnits, cost?.readUnits],
    ['Objects', plan.estimatedObjects, cost?.objects],
  ];
  if (plan.estimatedWriteUnits > 0) columns.push(['Write units', plan.estimatedWriteUnits, cost?.writeUnits]);
  return (
    <table>
      <thead>
        <tr>
          <td />
          {columns.map(([name]) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Row name="At worst" numbers={columns.map(([, worst]) => worst)} />
        <Row name="Last run" numbers={columns.map(([, , actual]) => actual)} />
      </tbody>
    </table>
  );
}

const Row = ({ name, numbers }) => (
  <tr>
    <th scope="row">{name}</th>
    {numbers.map((n, i) => (
      <td key={i}>{n === undefined ? '–' : n.toLocaleString('en')}</td>
    ))}
  </tr>
);

/** Three requests in two waves. */
function PlanIcon() {
  return (
    <svg height="1em" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <rect x="1" y="2" width="6" height="4" rx="1" />
      <rect x="1" y="10" width="6" height="4" rx="1" />
      <rect x="10" y="6" width="5" height="4" rx="1" />
      <path d="M7 4h1.5v4H10M7 12h1.5V8" />
    </svg>
  );
}
