// The page /figures: what the gateway does at this moment, from its own metrics.
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { number } from '../numbers.js';
import { settings } from '../settings.js';
import { Absence } from '../ui/absence.jsx';
import { reach } from '../ui/alive.js';
import { Bar } from '../ui/bar.jsx';
import { parse, quantile, rate, sum, values } from './metrics.js';
import '../ui/tokens.css';
import '../ui/base.css';
import './figures.css';

const every = 2000; // milliseconds between two questions
const kept = 31; // moments: a minute

function Figures() {
  const [moments, setMoments] = useState([]);
  const [problem, setProblem] = useState();
  useEffect(() => {
    const stop = new AbortController();
    const ask = async () => {
      if (document.hidden) return;
      try {
        const response = await reach(settings.metrics, { signal: stop.signal, cache: 'no-store' });
        const samples = parse(await response.text());
        setMoments((known) => [...known.slice(1 - kept), { at: performance.now() / 1000, samples }]);
        setProblem(undefined);
      } catch (error) {
        if (error.name !== 'AbortError') setProblem(error.message);
      }
    };
    ask();
    const timer = setInterval(ask, every);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, []);
  return (
    <>
      <Bar current="figures" skip={['now', 'figures']} />
      <Absence />
      <main id="now" tabIndex={-1} aria-busy={moments.length < 2}>
        <h1>
          Figures <small>{moments.length < 2 ? 'Reading …' : `of the last ${spanOf(moments)} s`}</small>
        </h1>
        <div role="alert">{problem}</div>
        {moments.length > 1 && <Now moments={moments} />}
      </main>
    </>
  );
}

const spanOf = (moments) => Math.round(moments.at(-1).at - moments[0].at);

const perSecond = (n) => n.toLocaleString('en', { maximumSignificantDigits: 3 });
const milliseconds = (seconds) => (seconds === undefined ? '–' : `${(1000 * seconds).toLocaleString('en', { maximumSignificantDigits: 3 })} ms`);

function Now({ moments }) {
  const [first, last] = [moments[0], moments.at(-1)];
  const nameOf = useNames(last.samples.filter(({ labels }) => labels.key));
  const isLive = last.samples.some(({ name }) => name === 'partita_stream_lag_seconds');
  return (
    <>
      <ul className="tiles" aria-label="All operations">
        <Rate moments={moments} title="Operations each second" name="partita_operations_total" />
        <Tile title="Half are faster than" value={milliseconds(quantile(0.5, first, last, 'partita_operation_duration_seconds'))} />
        <Tile title="99 of 100 are faster than" value={milliseconds(quantile(0.99, first, last, 'partita_operation_duration_seconds'))} />
        <Rate moments={moments} title="Read units each second" name="partita_dynamodb_read_units_total" />
        <Rate moments={moments} title="Write units each second" name="partita_dynamodb_write_units_total" />
        <Rate moments={moments} title="Throttled requests each second" name="partita_dynamodb_throttles_total" bad />
        <Tile title="Operations in flight" value={sum(last.samples, 'partita_operations_in_flight')} />
        <Tile title="Requests to DynamoDB in flight" value={sum(last.samples, 'partita_dynamodb_requests_in_flight')} />
        {isLive && <Tile title="Subscriptions" value={sum(last.samples, 'partita_subscriptions')} />}
        {isLive && <Tile title="Lag of the stream" value={lag(last.samples)} />}
      </ul>
      <Operations first={first} last={last} />
      <Actions first={first} last={last} />
      <Hot samples={last.samples} nameOf={nameOf} />
      <Throttled samples={last.samples} nameOf={nameOf} />
    </>
  );
}

function lag(samples) {
  const seconds = sum(samples, 'partita_stream_lag_seconds');
  return seconds === Infinity ? 'not yet known' : milliseconds(seconds);
}

const Tile = ({ title, value, bad, children }) => (
  <li className={bad ? 'tile bad' : 'tile'}>
    <span className="tile-title">{title}</span>
    <strong>{value}</strong>
    {children}
  </li>
);

/** The rate of a counter, and how it went. */
function Rate({ moments, title, name, bad }) {
  const now = rate(moments[0], moments.at(-1), name);
  const steps = moments.slice(1).map((moment, i) => rate(moments[i], moment, name));
  return (
    <Tile title={title} value={perSecond(now)} bad={bad && now > 0}>
      <Line steps={steps} />
    </Tile>
  );
}

function Line({ steps }) {
  const most = Math.max(...steps, Number.MIN_VALUE);
  const points = steps.map((step, i) => `${(100 * (i + 1)) / steps.length},${24 - (22 * step) / most}`);
  return (
    <svg className="line" viewBox="0 0 100 26" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={['0,24', ...points].join(' ')} />
    </svg>
  );
}

/** Operations by what they consume, the dearest first. */
function Operations({ first, last }) {
  const rows = values(last.samples, 'partita_operations_total', 'operation')
    .map((operation) => {
      const of = (name) => rate(first, last, name, { operation });
      const times = of('partita_operations_total');
      const units = of('partita_operation_read_units_total') + of('partita_operation_write_units_total');
      const p99 = quantile(0.99, first, last, 'partita_operation_duration_seconds', { operation });
      const failed = rate(first, last, 'partita_operations_total', { operation, outcome: 'failed' });
      return { operation, times, units, p99, failed };
    })
    .filter(({ times, units }) => times > 0 || units > 0)
    .sort((a, b) => b.units - a.units || b.times - a.times);
  return (
    <Table
      name="Operations, the dearest first"
      none="No operation was answered."
      heads={['Operation', 'Each second', 'Units each second', 'Units of one', '99 of 100 faster than', 'Failed each second']}
      rows={rows.map(({ operation, times, units, p99, failed }) => [
        operation,
        perSecond(times),
        perSecond(units),
        times > 0 ? perSecond(units / times) : '–',
        milliseconds(p99),
        perSecond(failed),
      ])}
    />
  );
}

function Actions({ first, last }) {
  const rows = values(last.samples, 'partita_dynamodb_requests_total', 'action')
    .map((action) => {
      const of = (name) => rate(first, last, `partita_dynamodb_${name}_total`, { action });
      return { action, requests: of('requests'), read: of('read_units'), written: of('write_units'), throttled: of('throttles'), retried: of('retries') };
    })
    .filter(({ requests }) => requests > 0)
    .sort((a, b) => b.requests - a.requests);
  return (
    <Table
      name="Requests to DynamoDB"
      none="No request was sent."
      heads={['Action', 'Each second', 'Read units', 'Write units', 'Throttled', 'Retried']}
      rows={rows.map(({ action, ...numbers }) => [action, ...Object.values(numbers).map(perSecond)])}
    />
  );
}

/** The partition keys that consume most. A dash is less than what is shown. */
function Hot({ samples, nameOf }) {
  const found = samples.filter(({ name }) => name === 'partita_dynamodb_key_units_per_second').sort((a, b) => b.value - a.value);
  if (found.length === 0) return null;
  const rows = Object.values(Object.groupBy(found, ({ labels: { index, key } }) => `${index} ${key}`));
  const units = (of, kind) => of.filter(({ labels }) => labels.units === kind).map(({ value }) => perSecond(value))[0] ?? '–';
  return (
    <Table
      name="Partition keys that consume most"
      heads={['Partition key', 'Read units each second, at least', 'Write units each second, at least']}
      rows={rows.map((of) => [nameOf(of[0]), units(of, 'read'), units(of, 'write')])}
    />
  );
}

/** The partition keys that were throttled most. */
function Throttled({ samples, nameOf }) {
  const found = samples.filter(({ name }) => name === 'partita_dynamodb_throttled_key_requests').sort((a, b) => b.value - a.value);
  if (found.length === 0) return null;
  return (
    <Table
      name="Throttled partition keys, since the start"
      heads={['Partition key', 'Requests, at least']}
      rows={found.map((sample) => [nameOf(sample), number(sample.value)])}
    />
  );
}

/** How samples of partition keys are called: with the key, or with its hash as long as that is not known. */
function useNames(samples) {
  const keys = useKeys(samples.map(({ labels }) => labels.key));
  return ({ labels: { index, key } }) => `${index ? `${index}: ` : ''}${keys[key] ?? key}`;
}

/** The keys of hashes. Visitors of other machines than that of the gateway learn none. */
function useKeys(hashes) {
  const [keys, setKeys] = useState({});
  const unknown = hashes.filter((hash) => !(hash in keys)).join();
  useEffect(() => {
    if (!unknown) return;
    const none = Object.fromEntries(hashes.map((hash) => [hash, undefined]));
    reach(`${settings.figures}/keys`)
      .then((response) => response.json())
      .then((got) => setKeys({ ...none, ...got }))
      .catch(() => {}); // the hashes remain
  }, [unknown]);
  return keys;
}

function Table({ name, none, heads, rows }) {
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {rows.length === 0 ? (
        <p className="hint">{none}</p>
      ) : (
        <div className="scroll" tabIndex={0} role="group" aria-label={name}>
          <table>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([head, ...cells]) => (
                <tr key={head}>
                  <th scope="row">{head || 'without a name'}</th>
                  {cells.map((cell, i) => (
                    <td key={i}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

createRoot(document.getElementById('page')).render(
  <StrictMode>
    <Figures />
  </StrictMode>,
);
