import { useIsLive } from '../apollo/live';

/** Whether what the page shows follows the table without being loaded again. */
export function Live() {
  const isLive = useIsLive();
  return (
    <span className={isLive ? 'live' : 'live off'} role="status">
      {isLive ? 'Live' : 'Connecting …'}
    </span>
  );
}
