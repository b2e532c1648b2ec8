// A collection: the items of a partition, by pages of Queries. The object that the partition is of comes first.
import { useContext, useEffect, useRef, useState } from 'react';
import { count } from '../numbers.js';
import { ask } from './ask.js';
import { Head } from './head.jsx';
import { Items } from './items.jsx';
import { Link, Page } from './key.jsx';
import { AddItem, Findings } from './raw.jsx';

export function Collection({ place, signedIn }) {
  const { sk, only } = place;
  const page = useContext(Page);
  const { fail, served } = page;
  const [pages, setPages] = useState();
  const [loading, setLoading] = useState(true);
  const [changed, setChanged] = useState(); // what was done before the collection was read again, and what is wrong since
  const heading = useRef(null);
  const latest = useRef(undefined); // the question whose answer is waited for
  const schema = useRef(served); // which the collection was last read by
  const isWanted = useWanted(place);

  const read = async (before, isQuiet = Boolean(before)) => {
    const own = (latest.current = {});
    const isLatest = () => latest.current === own;
    setLoading(true);
    try {
      const got = await (before ? ask('items', { ...questionOf(place), after: before.next }) : first(place));
      if (!isLatest()) return;
      setPages(before ? append(before, got) : got);
      if (!isQuiet && !document.activeElement?.closest('.mutation')) heading.current?.focus({ preventScroll: true });
    } catch (error) {
      if (isLatest()) fail(error);
    }
    if (isLatest()) setLoading(false);
  };
  useEffect(() => {
    setPages(undefined);
    read();
    return () => (latest.current = undefined);
  }, [signedIn]);
  useEffect(() => {
    if (schema.current !== served) read(undefined, true);
    schema.current = served;
  }, [served]);

  const again = (done, found) => {
    setChanged({ done, found });
    read();
  };
  const shown = pages && shownOf(pages, place);
  return (
    <section className="collection" aria-busy={loading} aria-label="Collection">
      <Head place={place} pages={pages} shown={shown} heading={heading} />
      <div className="rows">
        {pages?.shards && <Shards shards={pages.shards} place={place} />}
        {pages && <Access access={pages.access} place={place} />}
        <Changed {...changed} />
        {shown?.length === 0 && <p role="status">No item is stored {sk || only ? 'there' : 'under this partition key'}.</p>}
        <Page.Provider value={{ ...page, again }}>
          {shown?.length > 0 && <Items place={place} items={shown} base={pages.object} isWanted={isWanted} />}
          {pages && place.index === '' && <AddItem place={place} like={pages.items[0]} />}
        </Page.Provider>
        {pages?.next && (
          <button type="button" disabled={loading} onClick={() => read(pages)}>
            More items
          </button>
        )}
      </div>
    </section>
  );
}

/** What was done here, and what is wrong since then in the items that it concerns. */
const Changed = ({ done, found }) => (
  <div role="status" aria-label="Changed">
    {done && <p className="hint">{`${done}, and the collection read again.`}</p>}
    {found?.length === 0 && <p className="hint">Around it, all is as the schema says.</p>}
    {found?.length > 0 && (
      <>
        <p>Around it, this is wrong now:</p>
        <Findings findings={found} />
      </>
    )}
  </div>
);

/** Which items are highlighted: those whose sort keys begin with what the place names. A Number is a whole sort key. */
function useWanted({ index, sk, only }) {
  const { design } = useContext(Page);
  const isNumber = design.indexes.find(({ name }) => name === index)?.numberSK;
  if (!sk || only) return () => false;
  return ({ atSK }) => (isNumber ? atSK === sk : atSK.startsWith(sk));
}

const questionOf = ({ index, pk, sk, order, only }) => ({ index, pk, order, [only ? 'within' : 'from']: sk });

/** The first page, and the object that the partition is of. It takes a Query of its own if it is not on the page. */
async function first(place) {
  const page = { ...(await ask('items', questionOf(place))), queries: 1 };
  if (!page.base || place.only) return page;
  const isObject = ({ atSK }) => atSK === page.base.sk;
  const object = page.items.find(isObject);
  if (object || !page.next && !place.sk) return { ...page, object };
  const own = await ask('items', { index: '', pk: place.pk, within: page.base.sk });
  return { ...page, object: own.items.find(isObject), readUnits: page.readUnits + own.readUnits, queries: 2 };
}

const append = (before, page) => ({
  ...before,
  next: page.next,
  items: [...before.items, ...page.items],
  bytes: before.bytes + page.bytes,
  queries: before.queries + 1,
  readUnits: before.readUnits + page.readUnits,
  collectionUnits: before.collectionUnits + page.collectionUnits,
});

/** The items that are shown: only those of a kind, or all with the object first. */
function shownOf({ items, object, kinds }, { index, only }) {
  if (only) {
    const type = index && kinds.find(({ label }) => label === only)?.type;
    return items.filter((item) => item.label === only || (type && item.type === type));
  }
  return object ? [object, ...items.filter(({ atSK }) => atSK !== object.atSK)] : items;
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
function Access({ access, place: { index, pk, sk } }) {
  if (access.length === 0) return <p className="hint">No field of the schema reads this partition.</p>;
  return (
    <details className="access">
      <summary>{count(access.length, 'field')} of the schema read{access.length === 1 ? 's' : ''} this partition</summary>
      <ul>
        {access.map((field) => (
          <li key={field.field}>
            <Link to={{ index, pk, sk: field.sk }} aria-current={sk === field.sk ? 'true' : undefined}>
              {field.field}
            </Link>{' '}
            <small>{field.kind}</small> <code className="hint">{field.condition}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
