// The search: a global id, a partition key, or a value by the access patterns and unique values of the schema.
import { useState } from 'react';
import { count } from '../numbers.js';
import { ask } from './ask.js';
import { href } from './place.js';

const hint = 'Partition key, global id or value';

export function Search({ place, go, fail }) {
  const [found, setFound] = useState();
  const [searching, setSearching] = useState(false);
  const search = async (event) => {
    event.preventDefault();
    setSearching(true);
    try {
      const { to, said } = await find(new FormData(event.target).get('text'), place);
      setFound({ said, at: href(to) });
      go(to);
    } catch (error) {
      fail(error);
    }
    setSearching(false);
  };
  return (
    <>
      <form role="search" onSubmit={search} aria-busy={searching}>
        <input key={place.pk} name="text" type="search" aria-label={hint} placeholder={hint} defaultValue={place.pk} dir="auto" />
        <button type="submit" disabled={searching}>
          Find
        </button>
      </form>
      <p className="found hint" role="status" aria-label="Search">
        {found?.at === href(place) && found.said}
      </p>
    </>
  );
}

/** Where a text leads, and what is said about it. */
async function find(text, place) {
  const { index, pk, sk, type, patterns } = await ask('find', { text });
  if (type) return { to: { pk, sk } };
  if (!patterns) return { to: { index: place.index || index, pk } };
  let units = 0;
  for (const [i, pattern] of patterns.entries()) {
    const { index, pk, sk, exact } = pattern;
    const probe = await ask('probe', { index, pk, sk, exact });
    units += probe.readUnits;
    if (!probe.found) continue;
    const cost = `${queries(i + 1)} and ${count(units, 'read unit')}`;
    const to = pattern.one ? { pk: probe.pk, sk: probe.sk } : { index, pk, sk };
    return { to, said: `Found by ${pattern.by} (${pattern.condition}), with ${cost}.` };
  }
  const tried = [...new Set(patterns.map(({ by }) => by))].join(', ');
  const said = `Not found by ${tried}, with ${queries(patterns.length)} and ${count(units, 'read unit')}. This is the partition key.`;
  return { to: { index: place.index, pk }, said };
}

const queries = (n) => (n === 1 ? '1 Query' : `${n} Queries`);
