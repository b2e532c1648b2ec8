// What a mutation writes: by its plan, or by its last run if only its Go code knows it.
import { count, number } from './numbers.js';

/** `measured` is set for what the last run has written. */
export function Writes({ writes, measured }) {
  if (writes.length === 0) return null;
  return (
    <div className="plan-writes">
      {measured && <span>Written in the last run:</span>}
      <ul aria-label={measured ? 'Written in the last run' : 'Writes'}>
        {writes.map((write, i) => (
          <Write key={i} write={write} />
        ))}
      </ul>
    </div>
  );
}

function Write({ write }) {
  const { action, item, key, indexes = [], conditions = [], units, times = 1 } = write;
  return (
    <li>
      <strong>{action}</strong> {item}
      {times > 1 && ` × ${number(times)}`}
      {units && `, ${count(units, 'unit')}`}
      {key && <code>{key}</code>}
      {indexes.length > 0 && <small>{`in ${indexes.join(', ')}`}</small>}
      {conditions.map((condition, i) => (
        <span key={i} className="plan-if">
          if <code>{condition}</code>
        </span>
      ))}
    </li>
  );
}
