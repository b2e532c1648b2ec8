// The page /table: what is stored, decoded by the schema. It writes by the schema's mutations, and on the local engine
// single items.
import { StrictMode, useCallback, useContext, useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { claimsOf } from '../claims.js';
import { identity } from '../identities.js';
import { followSchema } from '../schemachanges.js';
import { settings } from '../settings.js';
import { Absence } from '../ui/absence.jsx';
import { Away, gateway } from '../ui/alive.js';
import { Bar } from '../ui/bar.jsx';
import { ByProvider } from '../ui/provider.jsx';
import { Who } from '../ui/who.jsx';
import { ask, enter, entered, headersNow } from './ask.js';
import { Collection } from './collection.jsx';
import { Page } from './key.jsx';
import { Partitions } from './partitions.jsx';
import { usePlace } from './place.js';
import { Search } from './search.jsx';
import '../ui/tokens.css';
import '../ui/base.css';
import './table.css';

const noAccess = ['UNAUTHENTICATED', 'FORBIDDEN'];

function TablePage() {
  const [place, go] = usePlace();
  const [design, setDesign] = useState();
  const [problem, setProblem] = useState();
  const [signedIn, setSignedIn] = useState(0);
  const again = useCallback(() => setSignedIn((n) => n + 1), []);
  const miss = useMissed(again);
  const served = useServed();
  const fail = useCallback((error) => (error instanceof Away ? miss() : setProblem(error)), [miss]);

  useEffect(() => {
    ask('design', {}).then(setDesign, fail);
  }, [signedIn, served]);
  useEffect(() => setProblem((shown) => (noAccess.includes(shown?.code) ? shown : undefined)), [place]);
  useEffect(() => {
    document.title = `${place.pk || 'Table'} · Partita`;
  }, [place]);
  const page = useMemo(() => ({ design, served, go, fail }), [design, served, go, fail]);
  useEffect(
    () =>
      entered.subscribe(() => {
        setProblem(undefined);
        again();
      }),
    [],
  );
  const needsToken = noAccess.includes(problem?.code);
  return (
    <Page.Provider value={page}>
      <Bar current="table" skip={['collection', 'collection']}>
        <SignedIn />
      </Bar>
      <Absence />
      <Tools place={place} go={go} design={design} fail={fail} />
      <div role="alert" className="problem">
        {problem && <p>{problem.message}</p>}
      </div>
      {needsToken && <SignIn />}
      {design && (
        <div className="panes">
          <Partitions index={place.index} pk={place.pk} signedIn={signedIn} />
          <main id="collection" tabIndex={-1}>
            {place.pk ? <Collection key={JSON.stringify(place)} place={place} signedIn={signedIn} /> : <Nothing />}
          </main>
        </div>
      )}
    </Page.Provider>
  );
}

function SignedIn() {
  useSyncExternalStore(identity.subscribe, identity.get);
  useSyncExternalStore(entered.subscribe, entered.get);
  return (
    <Who claims={claimsOf(headersNow())}>
      <ByProvider />
    </Who>
  );
}

/** How many other schemas the gateway has served since the page was loaded. */
function useServed() {
  const [served, setServed] = useState(0);
  useEffect(() => settings.changes && followSchema(settings.changes, (_, isOther) => isOther && setServed((n) => n + 1)), []);
  return served;
}

/** Returns a function that notes a question without an answer. When the gateway is back, all is asked again. */
function useMissed(again) {
  const [missed, setMissed] = useState(false);
  const state = useSyncExternalStore(gateway.subscribe, gateway.get);
  useEffect(() => {
    if (!missed || state === 'away') return;
    setMissed(false);
    again();
  }, [missed, state]);
  return useCallback(() => setMissed(true), []);
}

function Tools({ place, go, design, fail }) {
  const id = useId();
  return (
    <div className="tools">
      <h1>
        Table <small>{design?.table}</small>
      </h1>
      {design && (
        <>
          <label htmlFor={id}>Collections of</label>
          <select id={id} value={place.index} onChange={(event) => go({ index: event.target.value })}>
            {design.indexes.map(({ name, pk, sk, projection }) => (
              <option key={name} value={name}>
                {name || 'the table'} ({[pk, sk].filter(Boolean).join(', ')}
                {projection === 'ALL' ? '' : `, ${projection}`})
              </option>
            ))}
          </select>
          <Search place={place} go={go} fail={fail} />
        </>
      )}
    </div>
  );
}

function SignIn() {
  const id = useId();
  const submit = (event) => {
    event.preventDefault();
    enter(new FormData(event.target).get('token').trim().replace(/^Bearer /i, ''));
  };
  return (
    <form className="sign-in" onSubmit={submit}>
      <label htmlFor={id}>Token of a viewer with the role ADMIN. It is kept until this page is closed or reloaded.</label>
      <input id={id} name="token" type="password" autoComplete="off" required />
      <button type="submit">Show the table</button>
    </form>
  );
}

function Nothing() {
  const { design } = useContext(Page);
  return (
    <section className="collection nothing">
      <h2>Item collections</h2>
      <p>
        Choose a partition, or enter a partition key, the id of an object as a response has it, or a value such as an e-mail
        address. Keys are shown as the schema
        reads them: each value has the field that it is of, and ids lead to their objects.
      </p>
      <p className="hint">This page reads collections by Query, and the list of partitions by a Scan of its keys. It writes by the mutations of the
        schema{design.editable ? ', and on the local engine single items' : ' only'}.</p>
    </section>
  );
}

createRoot(document.getElementById('page')).render(
  <StrictMode>
    <TablePage />
  </StrictMode>,
);
