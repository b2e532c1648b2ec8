// One item of a collection: its keys, and when it is open all attributes and where they lead.
import { useContext, useId, useState } from 'react';
import { count } from '../numbers.js';
import { Key, Link, Page, size, useColour } from './key.jsx';

export function Item({ item, index, wanted }) {
  const [open, setOpen] = useState(false);
  const colour = useColour();
  const id = useId();
  const own = item.entries?.find((entry) => entry.index === index);
  const sk = own ? own.sk : item.sk;
  return (
    <li className={`item ${colour(item.type)}`} data-wanted={wanted || undefined}>
      <div className="item-head">
        <button type="button" className="expand" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <span className="type">{item.label}</span>
          <span className="visually-hidden">{item.atSK}</span>
        </button>
        <span className="item-key">{sk.text ? <Key parts={sk.parts} /> : <i>no sort key</i>}</span>
        <Marks item={item} />
        <small className="size">{size(item.bytes)}</small>
      </div>
      {index !== '' && <BaseKey item={item} />}
      <Problems problems={item.problems} />
      <div id={id} hidden={!open}>
        {open && <Details item={item} />}
      </div>
    </li>
  );
}

function Marks({ item }) {
  const marks = [
    item.problems && 'damaged',
    item.role === 'unknown' && 'no type of the schema',
    item.deleted && 'tombstone',
    item.expired && 'expired',
    item.partial && 'not all attributes',
  ].filter(Boolean);
  return marks.map((mark) => (
    <span key={mark} className={`mark ${mark === 'damaged' || item.role === 'unknown' ? 'bad' : ''}`}>
      {mark}
    </span>
  ));
}

/** The primary key of an entry of an index. */
function BaseKey({ item }) {
  const to = { pk: item.pk.text, sk: item.sk.text };
  return (
    <p className="base">
      <Link to={to} title="The item in the table">
        {item.pk.name} <Key parts={item.pk.parts} inLink />
        {item.sk.name && (
          <>
            , {item.sk.name} <Key parts={item.sk.parts} inLink />
          </>
        )}
      </Link>
    </p>
  );
}

function Problems({ problems }) {
  if (!problems) return null;
  return (
    <ul className="problems">
      {problems.map(({ kind, problem }) => (
        <li key={kind + problem}>
          <code>{kind}</code> {problem}
        </li>
      ))}
    </ul>
  );
}

function Details({ item }) {
  return (
    <div className="details">
      <p className="hint">
        {size(item.bytes)}: a GetItem of it consumes {count(item.readUnits, 'read unit')}, {2 * item.readUnits} if strongly consistent.
        {item.id && (
          <>
            {' '}
            Global id <code>{item.id}</code>
          </>
        )}
      </p>
      <Attributes item={item} />
      <Links links={item.links} />
    </div>
  );
}

function Attributes({ item }) {
  return (
    <div className="scroll">
      <table>
        <caption className="visually-hidden">Attributes</caption>
        <thead>
          <tr>
            <th scope="col">Attribute</th>
            <th scope="col">Type</th>
            <th scope="col">Stored value</th>
            <th scope="col">Bytes</th>
          </tr>
        </thead>
        <tbody>
          {item.attributes.map((attribute) => (
            <Attribute key={attribute.name} {...attribute} parts={partsOf(item, attribute)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The parts of an attribute that is a key. */
function partsOf(item, { name, key }) {
  if (!key) return undefined;
  const all = [item.pk, item.sk, ...(item.entries ?? []).flatMap(({ pk, sk }) => [pk, sk])];
  return all.find((part) => part.name === name)?.parts;
}

function Attribute({ name, type, value, cut, bytes, field, format, means, parts, link }) {
  const shown = cut ? `${value} …` : value;
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
        {field && field.split('.')[1] !== name && <small className="field">{field}</small>}
      </th>
      <td>
        <abbr title={dataTypes[type]}>{type}</abbr>
        {format && <small className="field">{format}</small>}
      </td>
      <td>
        {parts ? <Key parts={parts} /> : <span className="value">{link ? <Link to={link}>{shown}</Link> : shown}</span>}
        {means && <small className="field">{means}</small>}
        {cut && <small className="field">cut</small>}
      </td>
      <td>{bytes}</td>
    </tr>
  );
}

const dataTypes = {
  S: 'String', N: 'Number', B: 'Binary, as base64', BOOL: 'Boolean', NULL: 'Null', L: 'List', M: 'Map',
  SS: 'Set of Strings', NS: 'Set of Numbers', BS: 'Set of Binaries, as base64',
};

const groups = [
  ['Stored as', ['base', 'copy', 'entry', 'claim']],
  ['Refers to', ['reference', 'holder']],
  ['Its fields read', ['field']],
  ['Referred to by', ['referrer']],
];

function Links({ links = [] }) {
  const { design } = useContext(Page);
  const names = (index) => design.indexes.find(({ name }) => name === (index ?? '')) ?? {};
  return groups.map(([title, kinds]) => {
    const own = links.filter(({ kind }) => kinds.includes(kind));
    if (own.length === 0) return null;
    return (
      <section key={title} className="links" aria-label={title}>
        <h4>{title}</h4>
        <ul>
          {own.map((link) => (
            <li key={JSON.stringify(link)}>
              <Link to={link}>{link.label}</Link> <code className="hint">{condition(link, names(link.index))}</code>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

function condition({ pk, sk, exact }, names) {
  if (!sk) return `${names.pk} = ${pk}`;
  return exact ? `${names.pk} = ${pk}, ${names.sk} = ${sk}` : `${names.pk} = ${pk}, begins_with(${names.sk}, ${sk})`;
}
