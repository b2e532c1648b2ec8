import type { ReactNode } from 'react';
import { Icon } from './icon';

/** Something did not work: what, and what one can do. */
export function Problem({ title, children, onRetry }: { title: string; children?: ReactNode; onRetry?: () => void }) {
  return (
    <div className="problem" role="alert">
      <Icon name="alert" />
      <div>
        <strong>{title}</strong>
        {children && <p>{children}</p>}
      </div>
      {onRetry && (
        <button className="button quiet" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** There is nothing to show, and that is no fault. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name="cup" />
      <strong>{title}</strong>
      {children && <p>{children}</p>}
    </div>
  );
}
