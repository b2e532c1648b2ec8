// The place that the page shows is in its URL: an index ('' for the table itself), a partition key and, to highlight a
// part of the collection, the beginning of sort keys.
import { useCallback, useEffect, useState } from 'react';

export const read = (search) => {
  const parameters = new URLSearchParams(search);
  return { index: parameters.get('index') ?? '', pk: parameters.get('pk') ?? '', sk: parameters.get('sk') ?? '' };
};

export function href({ index = '', pk = '', sk = '' }) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ index, pk, sk })) if (value) parameters.set(name, value);
  const text = parameters.toString();
  return location.pathname + (text && `?${text}`);
}

/** The place, and a function that goes to another one. */
export function usePlace() {
  const [place, setPlace] = useState(() => read(location.search));
  useEffect(() => {
    const changed = () => setPlace(read(location.search));
    addEventListener('popstate', changed);
    return () => removeEventListener('popstate', changed);
  }, []);
  const go = useCallback((to) => {
    history.pushState(null, '', href(to));
    setPlace(read(location.search));
  }, []);
  return [place, go];
}
