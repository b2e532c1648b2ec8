// The partitions of the table, or of an index, in the order of a Scan; those without objects of the schema come last.
import { useContext, useEffect, useRef, useState } from 'react';
import { count } from '../numbers.js';
import { ask } from './ask.js';
import { Key, Legend, Link, Page, useColour } from './key.jsx';

const none = { partitions: [], items: 0, next: undefined, state: 'loading' };

/** How many lists are read in search of a type, or of any object, before the visitor is asked again. */
const searched = { type: 20, any: 5 };

/** Whether a partition has an object of the schema. Claims of unique values, for example, are partitions without any. */
const hasObjects = ({ types }, design) => design.types.some(({ name }) => types[name]);

export function Partitions({ index, pk, signedIn }) {
  const { design, fail } = useContext(Page);
  const [list, setList] = useState(none);
  const [type, setType] = useState();
  const latest = useRef(undefined); // the list that is read

  const read = async (before, wanted) => {
    const own = (latest.current = {});
    const isLatest = () => latest.current === own;
    const most = wanted ? searched.type : searched.any;
    let now = { ...before, state: 'loading' };
    setList(now);
    try {
      for (let n = 1; n <= most; n++) {
        const { partitions, items, next, denied } = await ask('partitions', { index, after: now.next ?? '' });
        if (!isLatest()) return;
        const known = now.partitions.length;
        now = { partitions: joined(now.partitions, partitions), items: now.items + items, next, denied, state: next ? 'more' : 'end' };
        const isFound = wanted
          ? now.partitions.slice(known).some(({ types }) => types[wanted])
          : now.partitions.some((partition) => hasObjects(partition, design));
        if (!next || isFound || n === most) break;
        setList({ ...now, state: 'loading' });
      }
      setList(now);
    } catch (error) {
      if (isLatest()) {
        setList({ ...now, state: now.next ? 'more' : 'failed' });
        fail(error);
      }
    }
  };
  useEffect(() => {
    read(none);
    return () => (latest.current = undefined);
  }, [index, signedIn]);

  const choose = (name) => {
    setType(name);
    if (name && list.state !== 'end' && !list.partitions.some(({ types }) => types[name])) read(list, name);
  };
  const stop = () => {
    latest.current = undefined;
    setList((shown) => ({ ...shown, state: 'more' }));
  };
  return <List {...{ list, pk, index, type, choose }} more={() => read(list, type)} stop={stop} />;
}

function List({ list, pk, index, type, choose, more, stop }) {
  const { design } = useContext(Page);
  const ofType = type === undefined ? list.partitions : list.partitions.filter(({ types }) => types[type]);
  const isFirst = (partition) => hasObjects(partition, design);
  const shown = [...ofType.filter(isFirst), ...ofType.filter((partition) => !isFirst(partition))];
  const counts = Object.fromEntries(design.types.map(({ name }) => [name, 0]));
  for (const { types } of list.partitions) {
    for (const name of Object.keys(types)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return (
    <nav className="partitions" aria-label="Partitions">
      <h2>Partitions</h2>
      {list.denied ? (
        <p role="status">
          The gateway may not list partitions here: its credentials lack dynamodb:Scan. Enter a partition key or an id above.
        </p>
      ) : (
        <>
          <Legend counts={counts} label="Partitions with items of a type" chosen={type} choose={choose} />
          <p className="hint" role="status">
            {list.state === 'loading' ? 'Reading … ' : ''}
            {count(shown.length, 'partition')} in the {list.state === 'end' ? '' : 'first '}
            {count(list.items, 'item')}
          </p>
          <ul>
            {shown.map((partition) => (
              <Partition key={partition.pk} {...partition} index={index} current={partition.pk === pk} />
            ))}
          </ul>
          {list.state === 'more' && (
            <button type="button" onClick={more}>
              {type === undefined ? 'More partitions' : `More with ${type ? `the type ${type}` : 'no type'}`}
            </button>
          )}
          {list.state === 'loading' && list.next && (
            <button type="button" onClick={stop}>
              Stop
            </button>
          )}
        </>
      )}
    </nav>
  );
}

/** The list with further partitions. The first of them may continue the last one. */
function joined(before, further) {
  const [first, ...rest] = further;
  const last = before.at(-1);
  if (!first || last?.pk !== first.pk) return [...before, ...further];
  const types = { ...last.types };
  for (const [name, n] of Object.entries(first.types)) types[name] = (types[name] ?? 0) + n;
  return [...before.slice(0, -1), { ...last, types }, ...rest];
}

function Partition({ pk, parts, types, index, current }) {
  const colour = useColour();
  return (
    <li>
      <Link to={{ index, pk }} aria-current={current ? 'page' : undefined}>
        <Key parts={parts} inLink />
        <span className="counts">
          {Object.entries(types).map(([name, n]) => (
            <span key={name} className={`dot ${colour(name)}`} title={`${n} × ${name || 'no type'}`}>
              {n}
            </span>
          ))}
        </span>
      </Link>
    </li>
  );
}
