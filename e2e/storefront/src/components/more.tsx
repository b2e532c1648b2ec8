import { useEffect, useRef } from 'react';
import { Skeleton } from './loaded';
import { Problem } from './problem';

type Props = { isLoading: boolean; error?: string; onMore: () => void };

/** The end of a list that goes on: loads more when nearly in view. The button is for the keyboard and after errors. */
export function More({ isLoading, error, onMore }: Props) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '100px',
    });
    observer.observe(end.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end} className="more">
      {isLoading && <Skeleton lines={2} className="rows" />}
      {error && <Problem title="More could not be loaded">{error}</Problem>}
      <button className="button quiet" aria-disabled={isLoading} onClick={() => isLoading || onMore()}>
        {isLoading ? 'Loading …' : 'Show more'}
      </button>
    </div>
  );
}
