import type { ErrorLike } from '@apollo/client';
import type { ReactNode } from 'react';
import { sentence } from '../apollo/errors';
import { Problem } from './problem';

type Result<T> = { data?: T; error?: ErrorLike; refetch: () => Promise<unknown> };

type Props<T> = { result: Result<T>; skeleton: ReactNode; children: (data: T) => ReactNode };

/** The three states of a query. If some fields have failed, their errors are above the data that there are. */
export function Loaded<T>({ result, skeleton, children }: Props<T>) {
  const { data, error, refetch } = result;
  const retry = () => void refetch().catch(() => undefined); // the hook has the error
  return (
    <>
      {error && (
        <Problem title={data ? 'A part of this page is missing' : 'This could not be loaded'} onRetry={retry}>
          {sentence(error)}
        </Problem>
      )}
      {data && children(data)}
      {!data && !error && (
        <div role="status" aria-busy="true">
          <span className="hidden">Loading</span>
          {skeleton}
        </div>
      )}
    </>
  );
}

/** Grey lines where text will be. */
export function Skeleton({ lines = 3, className = '' }: { lines?: number; className?: string }) {
  return (
    <div className={`skeleton ${className}`} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
