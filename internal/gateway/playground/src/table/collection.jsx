// A collection: the items of a partition, by pages of Queries, and the fields of the schema that read it.
import { useContext, useEffect, useRef, useState } from 'react';
import { count } from '../numbers.js';
import { ask } from './ask.js';
import { Item } from './item.jsx';
import { Key, Legend, Link, Page, size } from './key.jsx';

export function Collection({ place, signedIn }) {
  const { index, pk, sk } = place;
  const { design, fail } = useContext(Page);
  const [pages, setPages] = useState();
  const [begin, setBegin] = useState(); // 'start' or 'there', if the visitor has chosen
  const [loading, setLoading] = useState(true);
  const heading = useRef(null);
  const latest = useRef(undefined); // the question whose answer is waited for
  const isNumber = design.indexes.find(({ name }) => name === index)?.numberSK;
  const isWanted = ({ atSK }) => sk !== '' && (isNumber ? atSK === sk : atSK.startsWith(sk));

  /** The first page: that of the partition, unless what is looked for is not in it. */
  const first = async () => {
    const from = begin === 'there' ? sk : '';
    const page = await ask('items', { index, pk, from });
    if (begin || !sk || !page.next || page.items.some(isWanted)) return { ...page, from };
    return { ...(await ask('items', { index, pk, from: sk })), from: sk };
  };
  const read = async (before) => {
    const own = (latest.current = {});
    const isLatest = () => latest.current === own;
    setLoading(true);
    try {
      const page = await (before ? ask('items', { index, pk, from: before.from, after: before.next }) : first());
      if (!isLatest()) return;
      setPages(before ? append(before, page) : page);
      if (!before) heading.current?.focus({ preventScroll: true });
    } catch (error) {
      if (isLatest()) fail(error);
    }
    if (isLatest()) setLoading(false);
  };
  useEffect(() => {
    setPages(undefined);
    read();
    return () => (latest.current = undefined);
  }, [begin, signedIn]);
  useEffect(() => {
    document.querySelector('[data-wanted]')?.scrollIntoView({ block: 'nearest' });
  }, [pages?.from]);

  return (
    <section className="collection" aria-busy={loading} aria-label="Collection">
      <h2 tabIndex={-1} ref={heading}>
        <PartitionKey index={index} pk={pk} parts={pages?.parts} />
      </h2>
      {pages?.shards && <Shards shards={pages.shards} place={place} />}
      {pages && <Totals pages={pages} />}
      {pages && <Access access={pages.access} place={place} />}
      {sk && (
        <p className="hint">
          Highlighted: {isNumber ? 'the sort key' : 'sort keys that begin with'} <code>{sk}</code>.{' '}
          {pages?.from && (
            <button type="button" className="quiet" onClick={() => setBegin('start')}>
              Begin with the partition
            </button>
          )}
          {pages && !pages.from && pages.next && (
            <button type="button" className="quiet" onClick={() => setBegin('there')}>
              Begin there
            </button>
          )}
        </p>
      )}
      {pages?.items.length === 0 && <p role="status">No item is stored {pages.from ? 'there, or behind it' : 'under this partition key'}.</p>}
      <ul className="items" aria-label="Items">
        {pages?.items.map((item) => (
          <Item key={`${item.pk.text}\n${item.sk.text}`} item={item} index={index} wanted={isWanted(item)} />
        ))}
      </ul>
      {pages?.next && (
        <button type="button" disabled={loading} onClick={() => read(pages)}>
          More items
        </button>
      )}
    </section>
  );
}

const append = (before, page) => ({
  ...page,
  from: before.from,
  items: [...before.items, ...page.items],
  bytes: before.bytes + page.bytes,
  readUnits: before.readUnits + page.readUnits,
  collectionUnits: before.collectionUnits + page.collectionUnits,
});

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

function Totals({ pages }) {
  const counts = {};
  for (const { type } of pages.items) counts[type] = (counts[type] ?? 0) + 1;
  const gets = pages.items.reduce((sum, { readUnits }) => sum + readUnits, 0);
  return (
    <>
      <Legend counts={counts} label="Items by type" />
      <p className="hint">
        {count(pages.items.length, 'item')}
        {pages.next && ' so far'}, {size(pages.bytes)}. The {pages.next ? 'Queries have' : 'Query has'} consumed{' '}
        {count(pages.readUnits, 'read unit')}; to get each item by itself consumes {gets}.
      </p>
    </>
  );
}

/** The partitions over which the value of this one is spread: a link from elsewhere leads to the first. */
const Shards = ({ shards, place }) => (
  <nav className="shards hint" aria-label="Shards">
    One of {count(shards.length, 'shard')}:{' '}
    {shards.map((pk) => (
      <Link key={pk} to={{ ...place, pk }} aria-current={place.pk === pk ? 'page' : undefined}>
        {pk}
      </Link>
    ))}
  </nav>
);

/** The access patterns of the partition. */
function Access({ access, place }) {
  if (access.length === 0) return <p className="hint">No field of the schema reads this partition.</p>;
  return (
    <details className="access" open={access.length <= 8}>
      <summary>{count(access.length, 'field')} of the schema read{access.length === 1 ? 's' : ''} this partition</summary>
      <ul>
        {access.map(({ field, kind, condition, sk }) => (
          <li key={field}>
            <Link to={{ ...place, sk }} aria-current={place.sk === sk ? 'true' : undefined}>
              {field}
            </Link>{' '}
            <small>{kind}</small> <code className="hint">{condition}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
