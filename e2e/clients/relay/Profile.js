// A component of a Relay application that expects that fields can fail.
import { graphql } from 'react-relay';

export const fragment = graphql`
  fragment Profile_user on User @refetchable(queryName: "ProfileRefetchQuery") {
    id
    name
    version
    email @catch(to: RESULT)
  }
`;

export const query = graphql`
  query ProfileQuery($user: ID!) {
    user(id: $user) @required(action: THROW) {
      id
      ...Profile_user
    }
  }
`;

export const strictQuery = graphql`
  query ProfileStrictQuery($user: ID!) @throwOnFieldError {
    user(id: $user) {
      id
      email
    }
  }
`;
