// The place that the page shows is in its URL: an index ('' for the table itself), a partition key, the beginning of the
// sort keys where the page begins, the order 'DESC' for the way from the end, and the label of items if only those are shown.
import { useCallback, useEffect, useState } from 'react';

const names = ['index', 'pk', 'sk', 'order', 'only'];

export function read(search) {
  const parameters = new URLSearchParams(search);
  return Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? '']));
}

export function href(place) {
  const parameters = new URLSearchParams();
  for (const name of names) if (place[name]) parameters.set(name, place[name]);
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
