import { useEffect, useState } from 'react';
import { tryNow, useWait, type Wait } from '../apollo/patience';

const explanations: Record<Wait['reason'], string> = {
  busy: 'You were faster than the shop allows.',
  away: 'The shop cannot be reached.',
};

/** Says why the page waits, and for how long. */
export function Banner() {
  const wait = useWait();
  return (
    <div role="status">
      {wait && (
        <div className={`banner ${wait.reason}`}>
          <span>{explanations[wait.reason]}</span>
          <Countdown until={wait.until} />
          <button className="button small" onClick={tryNow}>
            Try now
          </button>
        </div>
      )}
    </div>
  );
}

/** Not for screen readers, which would read each second. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(clock);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  return <span aria-hidden="true">{seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again …'}</span>;
}
