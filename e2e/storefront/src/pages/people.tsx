import { useQuery } from '@apollo/client/react';
import { useParams } from 'react-router';
import { Loaded, Skeleton } from '../components/loaded';
import { Pager, type Pager_pageInfo, useCursor } from '../components/pager';
import { Person, type Person_user } from '../components/person';
import { Empty } from '../components/problem';
import { day } from '../format';
import { type FragmentType, graphql } from '../gql';

const FollowersOf = graphql(`
  query Followers($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    user(id: $id) {
      id
      followers(first: $first, after: $after, last: $last, before: $before) {
        edges {
          cursor
          followedAt
          node {
            id
            ...Person_user
          }
        }
        pageInfo {
          ...Pager_pageInfo
        }
      }
    }
  }
`);

const FollowingOf = graphql(`
  query Following($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    user(id: $id) {
      id
      following(first: $first, after: $after, last: $last, before: $before) {
        edges {
          cursor
          followedAt
          node {
            id
            ...Person_user
          }
        }
        pageInfo {
          ...Pager_pageInfo
        }
      }
    }
  }
`);

const pageSize = 12;
const skeleton = <Skeleton lines={6} className="cards" />;

export function Followers() {
  const { id = '' } = useParams();
  const result = useQuery(FollowersOf, { variables: { id, ...useCursor(pageSize) } });
  return (
    <Loaded result={result} skeleton={skeleton}>
      {({ user }) => <People label="Followers" nobody="Nobody follows yet" connection={user?.followers} />}
    </Loaded>
  );
}

export function Following() {
  const { id = '' } = useParams();
  const result = useQuery(FollowingOf, { variables: { id, ...useCursor(pageSize) } });
  return (
    <Loaded result={result} skeleton={skeleton}>
      {({ user }) => <People label="Following" nobody="No one is followed yet" connection={user?.following} />}
    </Loaded>
  );
}

type Connection = {
  edges: { cursor: string; followedAt: string; node?: ({ id: string } & FragmentType<typeof Person_user>) | null }[];
  pageInfo: FragmentType<typeof Pager_pageInfo>;
};

/** A page of people. Both connections have types of their own in the schema, and the same shape. */
function People({ label, nobody, connection }: { label: string; nobody: string; connection?: Connection | null }) {
  if (!connection) return null; // an error says why
  if (connection.edges.length === 0) return <Empty title={nobody} />;
  return (
    <>
      <ul className="people" aria-label={label}>
        {connection.edges.map(({ cursor, followedAt, node }) => (
          <li key={cursor}>
            {node ? (
              <Person user={node} note={`since ${day(followedAt)}`} />
            ) : (
              <span className="person">Someone who has left</span>
            )}
          </li>
        ))}
      </ul>
      <Pager label={label} pageInfo={connection.pageInfo} />
    </>
  );
}
