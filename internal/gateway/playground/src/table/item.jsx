// One item of a collection: its keys, and when it is open all attributes and where they lead.
import { useContext, useId, useState } from 'react';
import { count } from '../numbers.js';
import { Change } from './change.jsx';
import { attributeOf, inOrder, textsOf } from './columns.js';
import { Key, Link, Page, size, useColour } from './key.jsx';
import { EditItem } from './raw.jsx';

export function Item({ item, index, columns, isBase, wanted }) {
  const [open, setOpen] = useState(false);
  const colour = useColour();
  const id = useId();
  const own = item.entries?.find((entry) => entry.index === index);
  const sk = own ? own.sk : item.sk;
  return (
    <tbody className={`item ${colour(item.type)}`} data-wanted={wanted || undefined}>
      <tr>
        <th scope="row">
          <button type="button" className="expand" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            <span className="type">{item.label}</span>
            <span className="visually-hidden">{item.atSK}</span>
          </button>
          <Marks item={item} isBase={isBase} />
        </th>
        <td className="item-key">
          {sk.text ? <Key parts={sk.parts} /> : <i>no sort key</i>}
          {index !== '' && <BaseKey item={item} />}
          <Problems problems={item.problems} />
        </td>
        {columns ? columns.map((name) => <Cell key={name} {...attributeOf(item, name)} />) : <Preview item={item} />}
        <td className="size">{size(item.bytes)}</td>
      </tr>
      <tr id={id} hidden={!open}>
        {open && (
          <td colSpan={(columns?.length ?? 1) + 3}>
            <Details item={item} />
          </td>
        )}
      </tr>
    </tbody>
  );
}

function Cell({ value, means, link }) {
  const shown = means ?? value;
  return (
    <td className="cell" dir="auto" title={shown}>
      {link ? <Link to={link}>{shown}</Link> : shown}
    </td>
  );
}

const previewed = 5; // attributes of a row among items of several types

/** The first attributes of an item whose values are not in its key. */
function Preview({ item }) {
  const { design } = useContext(Page);
  const inKey = textsOf(item);
  const own = item.attributes.filter(({ key, value }) => !key && value && !inKey.has(value)).map(({ name }) => name);
  const names = inOrder(design, item.type, own);
  return (
    <td className="preview">
      {names.slice(0, previewed).map((name) => {
        const { value, means } = attributeOf(item, name);
        return (
          <span key={name} title={means ?? value}>
            <small>{name}</small> <span dir="auto">{means ?? value}</span>
          </span>
        );
      })}
      {names.length > previewed && <small>+ {names.length - previewed}</small>}
    </td>
  );
}

function Marks({ item, isBase }) {
  const marks = [
    isBase && 'object of the partition',
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
      {item.role !== 'claim' && item.role !== 'unknown' && <Change item={item} />}
      <EditItem item={item} />
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
        {parts ? <Key parts={parts} /> : <span className="value" dir="auto">{link ? <Link to={link}>{shown}</Link> : shown}</span>}
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
