// The panel "Plan": what the operation in the editor would send to the table, by waves, and what it cost when it was
// run.
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
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
import { writtenBeside } from './boxes.js';
import { Picture } from './picture.jsx';
import { lastRuns, requestOf, withKey } from './runs.js';
import { settings } from './settings.js';
import { gateway, reach } from './ui/alive.js';
import { Writes } from './writes.jsx';

const pause = 300; // milliseconds without a keystroke, after which the plan is asked for; the first of a tab at once

export const planPlugin = { title: 'Plan', icon: () => null, content: Plan };

function Plan() {
  const { operations = [], operationName, activeTabIndex } = useGraphiQL(pick('operations', 'operationName', 'activeTabIndex'));
  const { setOperationName } = useGraphiQLActions();
  const runs = useSyncExternalStore(lastRuns.subscribe, lastRuns.get);
  const caller = useSyncExternalStore(identity.subscribe, identity.get);
  const request = read(...useTexts(), operationName, caller);
  const { plan, errors = [], of, isOutdated } = usePlan(request, activeTabIndex);
  const run = (!isOutdated && of === request.text && runs.get(request.text)) || {};
  return (
    <section aria-label="Plan" className="plan">
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
      {isOutdated && <p className="hint">This is the plan of the last operation that was complete:</p>}
      {plan && <Parts key={of} {...{ plan, run, isOutdated }} />}
    </section>
  );
}

/** The texts of the editors: the query, the variables and the headers. Until the editors are loaded, those of the tab. */
function useTexts() {
  const { tabs, activeTabIndex, ...editors } = useGraphiQL(
    pick('tabs', 'activeTabIndex', 'queryEditor', 'variableEditor', 'headerEditor'),
  );
  const [query] = useOperationsEditorState();
  const [variables] = useVariablesEditorState();
  const [headers] = useHeadersEditorState();
  if (Object.values(editors).every(Boolean)) return [query, variables, headers];
  const tab = tabs[activeTabIndex];
  return [tab.query ?? '', tab.variables ?? '', tab.headers ?? ''];
}

/** The plan of an operation; that of a subscription has a part for each event. */
const Parts = ({ plan, run, isOutdated }) => (
  <div className={isOutdated ? 'plan-outdated' : undefined}>
    {plan.event && <h2>The first state</h2>}
    <Part name="Picture of the plan" plan={plan} run={run}>
      {!run.cost && !isOutdated && <p className="hint">Run the operation to see what it takes.</p>}
    </Part>
    {plan.event && (
      <>
        <h2>Each event</h2>
        <Part name="Picture of the plan of each event" plan={plan.event} run={run.event ?? {}} />
      </>
    )}
  </div>
);

/** The plan of an operation, or of a part of a subscription. */
const Part = ({ name, plan, run: { cost, measured }, children }) => (
  <>
    <Totals plan={plan} cost={cost} />
    {children}
    <Picture name={name} plan={plan} measured={measured} />
    <Writes writes={writtenBeside(measured)} measured />
    {plan.notReady?.map(({ field, reason }) => (
      <p className="plan-error" key={field + reason}>
        NOT_READY {field}: {reason}
      </p>
    ))}
    {plan.problems?.map(({ field, line, column, reason }) => (
      <p className="plan-error" key={`${line}:${column}`}>
        <code>{field}</code> in line {line} is not read: {reason}
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

/**
 * The plan of an operation. While it is incomplete, or wrong, that is the last one of the same tab, which is outdated, with
 * the errors.
 */
function usePlan(request, tab) {
  const [answer, setAnswer] = useState({});
  const asked = useRef();
  const state = useSyncExternalStore(gateway.subscribe, gateway.get);
  useEffect(() => setAnswer({}), [tab]);
  useEffect(() => {
    if (state === 'away') return undefined;
    let outdated = false;
    const wait = asked.current === tab ? pause : 0;
    asked.current = tab;
    const timer = setTimeout(async () => {
      const got = await (first.take(request.text) ?? ask(request));
      if (!outdated) setAnswer((last) => (got.errors && !got.plan ? { ...last, ...got, isOutdated: last.plan !== undefined } : { ...got, of: request.text }));
    }, wait);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [request.text, state]);
  return answer;
}

/** The plan of the first tab of a first visit, which is asked for before anything is drawn. */
const first = {
  ...(settings.plan && settings.tabs?.length && !localStorage.getItem('graphiql:tabState') && early(settings.tabs[0])),
  take(text) {
    const answer = this.text === text ? this.answer : undefined;
    delete this.text;
    return answer;
  },
};

function early({ query, variables = '', headers = '' }) {
  const request = read(query, variables, headers, undefined, identity.get());
  return { text: request.text, answer: ask(request) };
}

async function ask({ params, headers, error }) {
  if (error) return { errors: [{ message: error }] };
  if (!params.query.trim()) return {};
  try {
    const response = await reach(settings.plan, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(withKey(params)),
    });
    return await response.json();
  } catch (error) {
    return { errors: [{ message: error.message }] };
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
