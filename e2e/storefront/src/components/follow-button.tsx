import { type FragmentType, graphql, readFragment } from '../gql';
import { useFollow } from './use-follow';

const FollowButton_user = graphql(`
  fragment FollowButton_user on User {
    id
    name
    followerCount
  }
`);

// $id is the user of the page.
const FollowButton_viewer = graphql(`
  fragment FollowButton_viewer on User {
    id
    followingCount
    follows(userId: $id) {
      id
    }
  }
`);

type Props = {
  user: FragmentType<typeof FollowButton_user>;
  viewer: FragmentType<typeof FollowButton_viewer>;
};

export function FollowButton(props: Props) {
  const user = readFragment(FollowButton_user, props.user);
  const viewer = readFragment(FollowButton_viewer, props.viewer);
  const { follow, unfollow, isBusy } = useFollow(user, viewer);
  // aria-disabled instead of disabled: a disabled button would lose the focus.
  const press = (action: () => Promise<void>) => () => void (isBusy || action());
  return viewer.follows ? (
    <button className="button quiet" aria-disabled={isBusy} onClick={press(unfollow)}>
      Unfollow <span className="hidden">{user.name}</span>
    </button>
  ) : (
    <button className="button" aria-disabled={isBusy} onClick={press(follow)}>
      Follow <span className="hidden">{user.name}</span>
    </button>
  );
}
