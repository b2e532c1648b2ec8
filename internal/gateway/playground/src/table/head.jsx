// The head of a collection, which stays in sight: its partition key, the kinds of its items, ways to other places in it, and
// what was read.
import { useContext, useId } from 'react';
import { count, number } from '../numbers.js';
import { Export } from './export.jsx';
import { Key, Link, Page, size, useColour } from './key.jsx';

export function Head({ place, pages, shown, heading }) {
  return (
    <header className="collection-head">
      <h2 tabIndex={-1} ref={heading}>
        <PartitionKey {...place} parts={pages?.parts} />
      </h2>
      {pages && <Kinds place={place} pages={pages} />}
      <Ways place={place} />
      {pages && <Totals place={place} pages={pages} shown={shown} />}
    </header>
  );
}

function PartitionKey({ index, pk, parts }) {
  const { design } = useContext(Page);
  const name = design.indexes.find((known) => known.name === index)?.pk;
  return (
    <>
      <small>
        {name}
        {index && ` of ${index}`}
      </small>{' '}
      {parts ? <Key parts={parts} /> : <span className="key">{pk}</span>}
    </>
  );
}

/** The kinds of items that the partition may have, each with the way to it, and those that have been read beside. */
function Kinds({ place, pages }) {
  const counts = {};
  const kindOf = ({ label, type }) => pages.kinds.find((kind) => kind.label === label || (place.index && kind.type === type))?.label ?? label;
  for (const item of pages.items) counts[kindOf(item)] = (counts[kindOf(item)] ?? 0) + 1;
  const isKnown = (name) => pages.kinds.some(({ label }) => label === name);
  const types = Object.fromEntries(pages.items.map(({ label, type }) => [label, type]));
  const others = Object.keys(counts).filter((name) => !isKnown(name)).map((label) => ({ label, type: types[label] }));
  return (
    <ul className="legend" aria-label="Items by type">
      {[...pages.kinds, ...others].map((kind) => (
        <Kind key={kind.label} {...kind} place={place} n={counts[kind.label]} isWay={isKnown(kind.label)} />
      ))}
    </ul>
  );
}

function Kind({ label, type, sk, place: { index, pk, order, only }, n, isWay }) {
  const colour = useColour();
  const isChosen = only === label;
  const to = isChosen ? { index, pk, order } : { index, pk, sk, order, only: label };
  const className = `type ${colour(type)}`;
  const text = (
    <>
      {label} {n > 0 && <b>{number(n)}</b>}
    </>
  );
  return (
    <li>
      {isWay ? (
        <Link to={to} className={className} aria-current={isChosen ? 'true' : undefined} title={isChosen ? 'Show all items' : 'Show only these'}>
          {text}
        </Link>
      ) : (
        <span className={className}>{text}</span>
      )}
    </li>
  );
}

/** Ways to a sort key, to the beginning and to the end. */
function Ways({ place: { index, pk, sk, order, only } }) {
  const { design, go } = useContext(Page);
  const id = useId();
  const name = design.indexes.find((known) => known.name === index)?.sk;
  if (!name) return null;
  const jump = (event) => {
    event.preventDefault();
    go({ index, pk, sk: new FormData(event.target).get('sk'), order });
  };
  const all = only ? { index, pk, sk, only } : { index, pk };
  const isAtEnd = (wanted) => ((only || !sk) && order === wanted ? 'true' : undefined);
  return (
    <form className="ways" onSubmit={jump}>
      <label htmlFor={id}>{name}</label>
      <input id={id} name="sk" key={sk} defaultValue={sk} size={24} placeholder="or its beginning" />
      <button type="submit">Go to</button>
      <Link to={all} aria-current={isAtEnd('')}>
        From the beginning
      </Link>
      <Link to={{ ...all, order: 'DESC' }} aria-current={isAtEnd('DESC')}>
        From the end
      </Link>
    </form>
  );
}

function Totals({ place: { sk, order, only }, pages, shown }) {
  const { queries, readUnits, next } = pages;
  const gets = shown.reduce((sum, item) => sum + item.readUnits, 0);
  return (
    <p className="hint">
      {count(shown.length, 'item')}
      {next && ' so far'}
      {sk && !only && (
        <>
          {' '}
          from <code>{sk}</code>
          {order && ' downwards'}
        </>
      )}
      , {size(shown.reduce((sum, { bytes }) => sum + bytes, 0))}. {queries === 1 ? 'The Query has' : `${queries} Queries have`} consumed{' '}
      {count(readUnits, 'read unit')}; to get each item by itself consumes {gets}. <Export items={shown} />
    </p>
  );
}
