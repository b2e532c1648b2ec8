import { useEffect, useState } from 'react';
import { tryNow, useWait, type Wait } from '../apollo/patience';

const explanations: Record<Wait['reason'], string> = {
  busy: 'You were faster than the shop allows.',
  away: 'The shop cannot be reached.',
};

/** Says why the page waits, and for how long. */
export function Banner() {
  const wait = useWait();
  return <div role="status">{wait && <Waiting key={wait.until} {...wait} />}</div>;
}

function Waiting({ reason, until }: Wait) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(clock);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  return (
    <div className={`banner ${reason}`}>
      <span>{explanations[reason]}</span>
      {/* A screen reader would read each second. */}
      <span aria-hidden="true">{seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again …'}</span>
      <button className="button small" onClick={tryNow}>
        Try now
      </button>
    </div>
  );
}
