// The plan as a picture: a column for each wave, a box for each field with its Reads, and arrows between them.
import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import { boxAt, useCursor, useMarks } from './marks.js';
import { columnsOf } from './boxes.js';
import { count, number } from './numbers.js';
import { settings } from './settings.js';
import { Writes } from './writes.jsx';

// How a wave is sent: one with more requests than may be in flight takes several round trips.
const sent = ({ requests, roundTrips, readUnits }) =>
  [
    count(requests, 'request') + (roundTrips > 1 ? ` in ${count(roundTrips, 'round trip')}` : ''),
    count(readUnits, 'read unit'),
  ].join(', ');

export function Picture({ name, plan, measured }) {
  const [expanded, setExpanded] = useState(new Set());
  const [marked, setMarked] = useState();
  const mark = useMarks();
  const places = useCursor();
  const columns = columnsOf(plan, measured, expanded);
  const atCursor = boxAt(columns, places);
  const canvas = useRef(null);
  const arrows = useArrows(canvas, columns);
  if (plan.waves.length === 0) return <p>Nothing of the table is read.</p>;
  const choose = (box) => {
    setMarked(box.key);
    mark(box.reads);
  };
  const toggle = (key) => {
    const next = new Set(expanded);
    if (!next.delete(key)) next.add(key);
    setExpanded(next);
  };
  const nameOf = (key) => columns.flatMap(({ boxes }) => boxes).find((box) => box.key === key)?.field;
  return (
    <div className="plan-scroll" role="group" aria-label={name} tabIndex={0}>
      <div className="plan-canvas" ref={canvas}>
        <svg className="plan-arrows" aria-hidden="true">
          {arrows.map(({ from, to, path }) => (
            <path
              key={`${from} ${to}`}
              d={path}
              className={[from, to].includes(marked ?? atCursor) ? 'plan-arrow plan-arrow-active' : 'plan-arrow'}
            />
          ))}
        </svg>
        {columns.map(({ wave, requests, roundTrips, readUnits, frames }) => (
          <section key={wave} className="plan-wave" aria-label={`Wave ${wave}`}>
            <h3>
              Wave {wave} <small>{sent({ requests, roundTrips, readUnits })}</small>
            </h3>
            {frames.map(({ name, boxes }) => (
              <div
                key={boxes[0].key}
                className={name ? 'plan-frame' : undefined}
                role={name && 'group'}
                aria-label={name}
              >
                {name && <div className="plan-frame-name">{name}</div>}
                <ul>
                  {boxes.map((box) => (
                    <Box
                      key={box.key}
                      box={box}
                      active={box.key === marked}
                      atCursor={box.key === atCursor}
                      dependsOn={box.dependsOn.map(nameOf)}
                      choose={() => choose(box)}
                      toggle={toggle}
                    />
                  ))}
                </ul>
              </div>
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function Box({ box, active, atCursor, dependsOn, choose, toggle }) {
  const { key, kind, field, condition, reads, writes, group, folded } = box;
  const place = reads.length === 1 ? reads[0].key : undefined;
  const shards = place?.of;
  const link = settings.table && tableLink(place);
  return (
    <li
      data-box={key}
      className={`plan-box plan-${shapeOf(kind)}${active ? ' plan-box-active' : ''}`}
      aria-current={atCursor || undefined}
    >
      <button type="button" onClick={choose} aria-pressed={active}>
        <span className="plan-kind">
          {kind} × {number(box.times)}
          {shards && `, in ${shards} shards`}
        </span>
        <Field path={field} />
        {folded && <span>{`${reads.length} fields, such as ${reads[0].path.join('.')}`}</span>}
        {condition && <Condition text={condition} />}
        <span>
          <span className="plan-units">{`At worst ${units(box.worst, box.worstWrites)}`}</span>
          {box.isDearest && <span className="plan-dearest">dearest</span>}
        </span>
        {box.measured && <Measured {...box.measured} />}
        {dependsOn.length > 0 && <span className="plan-unseen">{`Depends on ${dependsOn.join(' and ')}.`}</span>}
      </button>
      {writes ? <Writes writes={writes} /> : <Writes writes={box.measured?.writes ?? []} measured />}
      {(folded || group) && (
        <button type="button" className="plan-more" onClick={() => toggle(folded ?? group)}>
          {folded ? `Show all ${reads.length}` : 'Show as one'}
        </button>
      )}
      {link && (
        <a className="plan-link" href={link}>
          Show in the table
        </a>
      )}
    </li>
  );
}

/** A path, whose last field is what the box is about. Lines break between fields. */
function Field({ path }) {
  const fields = path.split(/(?=\.)/);
  return (
    <code className="plan-field">
      {fields.map((field, i) => (
        <span key={i} className={i < fields.length - 1 ? 'plan-part plan-parent' : 'plan-part'}>
          {field}
        </span>
      ))}
    </code>
  );
}

/** A key condition. Lines break between its parts, and of a UUID only both ends are seen. */
function Condition({ text }) {
  const parts = text.split(/(?<=[,;]) (?![^(]*\))/);
  return (
    <code className="plan-condition" title={text}>
      {parts.map((part, i) => (
        <Fragment key={i}>
          {i > 0 && ' '}
          <span className="plan-part">
            {part.split(uuid).map((piece, n) => (n % 2 === 1 ? <Id key={n} id={piece} /> : piece))}
          </span>
        </Fragment>
      ))}
    </code>
  );
}

const uuid = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

const Id = ({ id }) => (
  <span className="plan-id">
    {id.slice(0, 8)}
    <span className="plan-unseen">{id.slice(8, -4)}</span>
    <span className="plan-tail">{id.slice(-4)}</span>
  </span>
);

function Measured({ times, items, readUnits, writeUnits, actions, waves, sharedWith }) {
  if (times === 0) return <span className="plan-measured">Not read in the last run</span>;
  const parts = [`Measured ${units(readUnits, writeUnits)}`, count(items, 'item')];
  if (waves.length > 0) parts.push(`wave ${waves.join(', ')}`);
  return (
    <span className="plan-measured">
      {parts.join(', ')}
      <small>{`${actions.join(', ')}${others(sharedWith)}`}</small>
    </span>
  );
}

function others([first, ...more]) {
  if (!first) return '';
  return more.length > 0 ? `, with ${1 + more.length} other fields` : `, with ${first}`;
}

/** Where the items of a Read are on the table page. */
function tableLink(key) {
  if (!key) return undefined;
  const { index, pk, sk, descending } = key;
  const known = Object.entries({ index, pk, sk, order: descending && 'DESC' }).filter(([, value]) => value);
  return `${settings.table}?${new URLSearchParams(known)}`;
}

/** The paths of the arrows between the boxes as they are laid out. */
function useArrows(canvas, columns) {
  const [arrows, setArrows] = useState([]);
  const boxes = columns.flatMap((column) => column.boxes);
  const wanted = boxes.flatMap(({ key, dependsOn }) => dependsOn.map((from) => ({ from, to: key })));
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const draw = () => setArrows(wanted.map((arrow) => ({ ...arrow, path: pathOf(element, arrow) })));
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    draw();
    return () => observer.disconnect();
  }, [JSON.stringify(columns)]);
  return arrows;
}

function pathOf(canvas, { from, to }) {
  const origin = canvas.getBoundingClientRect();
  const [start, end] = [from, to].map((key) => canvas.querySelector(`[data-box="${key}"]`)?.getBoundingClientRect());
  if (!start || !end) return '';
  const x1 = start.right - origin.left;
  const y1 = start.top + Math.min(start.height / 2, 24) - origin.top;
  const x2 = end.left - origin.left;
  const y2 = end.top + Math.min(end.height / 2, 24) - origin.top;
  const bend = (x2 - x1) / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 2} ${y2}m-6 -4l6 4l-6 4`;
}

const shapeOf = (kind) => (['Get', 'Query', 'Resolver'].includes(kind) ? kind.toLowerCase() : 'write');

function units(read, written) {
  const parts = [];
  if (read > 0 || written === 0) parts.push(count(read, 'read unit'));
  if (written > 0) parts.push(count(written, 'write unit'));
  return parts.join(' and ');
}
