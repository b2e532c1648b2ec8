// Keys as the design reads them, and links that lead to other keys.
import { createContext, useContext } from 'react';
import { number } from '../numbers.js';
import { href } from './place.js';

/**
 * The design, how many schemas have been served before it since the page was loaded, and the functions that go to a
 * place, show an error and, after a change, read a collection again.
 */
export const Page = createContext({ design: { types: [] }, served: 0, go() {}, fail() {}, again() {} });

/** A link to a place in the table. Its URL can be opened in another tab. */
export function Link({ to, children, ...rest }) {
  const { go } = useContext(Page);
  const follow = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={href(to)} onClick={follow} {...rest}>
      {children}
    </a>
  );
}

/**
 * A key value: literals, the fields whose values follow them, and links to the objects that they are the ids of. Within
 * a link it is text alone.
 */
export function Key({ parts, inLink = false }) {
  return (
    <span className="key">
      {parts.map((part, i) => (
        <Part key={i} {...part} inLink={inLink} />
      ))}
    </span>
  );
}

function Part({ text, field, value, shard, link, inLink }) {
  if (shard) return <span className="shard" title="shard">{text}</span>;
  if (!field) return <span className="literal">{text}</span>;
  const title = value ? `${field}: ${value}` : field;
  return (
    <span className="variable" title={title}>
      <bdi>{link && !inLink ? <Link to={link}>{text}</Link> : text}</bdi>
      {!inLink && <small className="field"> {field}</small>}
    </span>
  );
}

const colours = 10;

/** The class with the colour of a type. Types that the schema does not have are grey. */
export function useColour() {
  const { design } = useContext(Page);
  return (type) => {
    const i = design.types.findIndex(({ name }) => name === type);
    return i < 0 ? 'type-other' : `type-${i % colours}`;
  };
}

/** How many items there are of each type, those of the schema first. Without a number, none is known. */
export function Legend({ counts, label, chosen, choose }) {
  const { design } = useContext(Page);
  const colour = useColour();
  const isOther = (name) => Number(!design.types.some((type) => type.name === name));
  const names = Object.keys(counts).sort((a, b) => isOther(a) - isOther(b) || a.localeCompare(b));
  if (names.length === 0) return null;
  const counted = (name) => (counts[name] > 0 ? <b>{number(counts[name])}</b> : null);
  return (
    <ul className="legend" aria-label={label}>
      {names.map((name) => (
        <li key={name}>
          {choose ? (
            <button type="button" className={`type ${colour(name)}`} aria-pressed={chosen === name} onClick={() => choose(chosen === name ? undefined : name)}>
              {name || 'no type'} {counted(name)}
            </button>
          ) : (
            <span className={`type ${colour(name)}`}>
              {name || 'no type'} {counted(name)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

export const size = (bytes) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`);
