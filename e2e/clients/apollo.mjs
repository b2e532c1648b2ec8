// What Apollo Client 3 and 4 have in common.

const ids = ({ user }) => user.orders.edges.map(({ node }) => node.id);

/** Pages with fetchMore, as an infinite list does. The cache merges the pages; `all` is what it has at the end. */
export async function fetchAll(client, query, direction, variables) {
  const observable = client.watchQuery({ query, variables });
  let subscription;
  let data = await new Promise((resolve) => {
    subscription = observable.subscribe((result) => !result.loading && resolve(result.data));
  });
  const pages = [ids(data)];
  for (;;) {
    const { hasNextPage, endCursor, hasPreviousPage, startCursor } = data.user.orders.pageInfo;
    if (direction === 'forwards' ? !hasNextPage : !hasPreviousPage) break;
    const cursor = direction === 'forwards' ? { after: endCursor } : { before: startCursor };
    ({ data } = await observable.fetchMore({ variables: cursor }));
    pages.push(ids(data));
  }
  subscription.unsubscribe();
  return { pages, all: ids(client.readQuery({ query, variables })) };
}
