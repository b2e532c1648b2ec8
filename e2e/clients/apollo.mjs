// What Apollo Client 3 and 4 have in common.

const ids = ({ user }) => user.orders.edges.map(({ node }) => node.id);

/** Pages with fetchMore as an infinite list does, by what the cache has; `all` is what it has at the end. */
export async function fetchAll(client, query, direction, variables) {
  const observable = client.watchQuery({ query, variables });
  let subscription;
  const first = await new Promise((resolve) => {
    subscription = observable.subscribe((result) => !result.loading && resolve(result.data));
  });
  const pages = [ids(first)];
  for (;;) {
    const list = client.readQuery({ query, variables });
    const { hasNextPage, endCursor, hasPreviousPage, startCursor } = list.user.orders.pageInfo;
    if (direction === 'forwards' ? !hasNextPage : !hasPreviousPage) {
      subscription.unsubscribe();
      return { pages, all: ids(list) };
    }
    const cursor = direction === 'forwards' ? { after: endCursor } : { before: startCursor };
    const { data } = await observable.fetchMore({ variables: cursor });
    pages.push(ids(data));
  }
}
