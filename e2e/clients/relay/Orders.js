// A component of a Relay application, as its compiler reads it: a list that loads more in both directions.
import { graphql } from 'react-relay';

export const fragment = graphql`
  fragment Orders_user on User
  @refetchable(queryName: "OrdersPaginationQuery")
  @argumentDefinitions(
    first: { type: "Int" }
    after: { type: "String" }
    last: { type: "Int" }
    before: { type: "String" }
  ) {
    orders(first: $first, after: $after, last: $last, before: $before) @connection(key: "Orders_user_orders") {
      edges {
        node {
          id
        }
      }
    }
  }
`;

export const query = graphql`
  query OrdersQuery($user: ID!, $first: Int, $last: Int) {
    user(id: $user) {
      id
      ...Orders_user @arguments(first: $first, last: $last)
    }
  }
`;
