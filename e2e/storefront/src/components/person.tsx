import { Link } from 'react-router';
import { type FragmentType, graphql, readFragment } from '../gql';

export const Person_user = graphql(`
  fragment Person_user on User {
    id
    name
    orderCount
    followerCount
  }
`);

/** A user in a list, as a link. */
export function Person(props: { user: FragmentType<typeof Person_user>; note?: string }) {
  const user = readFragment(Person_user, props.user);
  return (
    <Link className="person" to={`/users/${user.id}`}>
      <Portrait name={user.name} />
      <span>
        <strong>{user.name}</strong>
        <small>{props.note ?? `${count(user.followerCount, 'follower')} · ${count(user.orderCount, 'order')}`}</small>
      </span>
    </Link>
  );
}

/** The first letters of a name, in one of a few colours. */
export function Portrait({ name, large = false }: { name: string; large?: boolean }) {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('');
  const tone = [...name].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % 5;
  return (
    <span className={`portrait tone-${tone} ${large ? 'large' : ''}`} aria-hidden="true">
      {letters.toUpperCase()}
    </span>
  );
}

export const count = (n: number, noun: string) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
