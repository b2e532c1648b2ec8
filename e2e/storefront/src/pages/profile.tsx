import { useQuery } from '@apollo/client/react';
import { NavLink, Outlet, useParams } from 'react-router';
import { EditName } from '../components/edit-name';
import { FollowButton } from '../components/follow-button';
import { Loaded, Skeleton } from '../components/loaded';
import { Portrait } from '../components/person';
import { Title } from '../components/title';
import { useLiveUser } from '../components/use-live-user';
import { type FragmentType, graphql, readFragment } from '../gql';
import { day } from '../format';
import { useSession } from '../session';
import { NotFound } from './not-found';

const Profile = graphql(`
  query Profile($id: ID!, $isVisitor: Boolean!) {
    user(id: $id) {
      id
      ...ProfileHeader_user
    }
    viewer @include(if: $isVisitor) {
      id
      ...FollowButton_viewer
    }
  }
`);

const ProfileHeader_user = graphql(`
  fragment ProfileHeader_user on User {
    id
    name
    createdAt
    orderCount
    followerCount
    followingCount
    ...EditName_user
    ...FollowButton_user
  }
`);

/** A user with three lists: orders, followers, and whom the user follows. */
export function ProfilePage() {
  const { id = '' } = useParams();
  const session = useSession();
  const isOwn = session?.userId === id;
  const result = useQuery(Profile, { variables: { id, isVisitor: session !== null && !isOwn } });
  useLiveUser(id, { skip: !result.data?.user });
  return (
    <Loaded result={result} skeleton={<Skeleton lines={3} className="profile" />}>
      {({ user, viewer }) => {
        if (!user) return result.error ? null : <NotFound what="user" />; // an error says why
        const header = readFragment(ProfileHeader_user, user);
        return (
          <>
            <Header user={user}>
              {isOwn && <EditName user={header} />}
              {viewer && <FollowButton user={header} viewer={viewer} />}
            </Header>
            <nav className="tabs" aria-label={`Lists of ${header.name}`}>
              <NavLink end to={`/users/${id}`}>
                Orders <b>{header.orderCount.toLocaleString('en')}</b>
              </NavLink>
              <NavLink to={`/users/${id}/followers`}>
                Followers <b data-counter="followers">{header.followerCount.toLocaleString('en')}</b>
              </NavLink>
              <NavLink to={`/users/${id}/following`}>
                Following <b data-counter="following">{header.followingCount.toLocaleString('en')}</b>
              </NavLink>
            </nav>
            <Outlet />
          </>
        );
      }}
    </Loaded>
  );
}

function Header(props: { user: FragmentType<typeof ProfileHeader_user>; children: React.ReactNode }) {
  const user = readFragment(ProfileHeader_user, props.user);
  return (
    <header className="profile" key={user.id}>
      <Portrait name={user.name} large />
      <div>
        <Title text={user.name} />
        <p className="muted">Here since {day(user.createdAt)}</p>
      </div>
      <div className="actions">{props.children}</div>
    </header>
  );
}
