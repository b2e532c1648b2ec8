// What is shown, as a file that is made from what was read: JSON lines as in data.jsonl, or the columns as CSV.
import { useContext } from 'react';
import { count } from '../numbers.js';
import { attributeOf, inOrder } from './columns.js';
import { Page } from './key.jsx';
import { isWhole, storedItem } from './stored.js';

export function Export({ items }) {
  const { design } = useContext(Page);
  const whole = items.filter(isWhole);
  const left = items.length - whole.length;
  return (
    <span className="export" role="group" aria-label="Export">
      <button type="button" className="quiet" onClick={() => save('items.jsonl', 'application/jsonl', jsonLines(whole))}>
        JSON lines
      </button>
      <button type="button" className="quiet" onClick={() => save('items.csv', 'text/csv', csv(design, whole))}>
        CSV
      </button>
      {left > 0 && <small>without {count(left, 'item')} of which a value is cut</small>}
    </span>
  );
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** DynamoDB's JSON, one item a line, as `partita table load` reads it. */
const jsonLines = (items) =>
  items.map((item) => `${JSON.stringify({ Item: storedItem(item) })}\n`).join('');

/** The attributes of all items as columns: keys first, then as in the schema. RFC 4180. */
function csv(design, items) {
  const named = (isKey) => [...new Set(items.flatMap(({ attributes }) => attributes.filter(({ key }) => !key !== isKey).map(({ name }) => name)))];
  const columns = [...named(true), ...inOrder(design, items[0]?.type, named(false))];
  const rows = items.map((item) => columns.map((name) => attributeOf(item, name)?.value ?? ''));
  return [columns, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
