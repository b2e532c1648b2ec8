import { Link, useSearchParams } from 'react-router';
import { type FragmentType, graphql, readFragment } from '../gql';

export const Pager_pageInfo = graphql(`
  fragment Pager_pageInfo on PageInfo {
    hasPreviousPage
    hasNextPage
    startCursor
    endCursor
  }
`);

/** The arguments for the page that the address names: after or before a cursor, the first one, or the last one. */
export function useCursor(size: number) {
  const [search] = useSearchParams();
  const after = search.get('after');
  const before = search.get('before');
  return before !== null || search.has('end') ? { last: size, before } : { first: size, after };
}

/** Links to the pages around this one. Each page has an address, so the browser's own buttons work as well. */
export function Pager({ label, pageInfo }: { label: string; pageInfo: FragmentType<typeof Pager_pageInfo> }) {
  const { hasPreviousPage, hasNextPage, startCursor, endCursor } = readFragment(Pager_pageInfo, pageInfo);
  if (!hasPreviousPage && !hasNextPage) return null;
  const link = (text: string, query: string, isPossible: boolean) =>
    isPossible ? (
      <Link className="button quiet small" to={query}>
        {text}
      </Link>
    ) : (
      <span className="button quiet small" aria-disabled="true">
        {text}
      </span>
    );
  return (
    <nav className="pager" aria-label={`Pages of ${label}`}>
      {link('First', '?', hasPreviousPage)}
      {link('Previous', `?before=${encodeURIComponent(startCursor ?? '')}`, hasPreviousPage)}
      {link('Next', `?after=${encodeURIComponent(endCursor ?? '')}`, hasNextPage)}
      {link('Last', '?end', hasNextPage)}
    </nav>
  );
}
