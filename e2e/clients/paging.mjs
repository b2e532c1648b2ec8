// Paging for clients that have no connections: each page is a query of its own, and the list is the application's.

/** Pages through a user's orders, given a function that sends an operation and returns `{ data }`. */
export async function pageByPage(run, direction, variables) {
  const pages = [];
  let pageInfo;
  do {
    const cursor = direction === 'forwards' ? { after: pageInfo?.endCursor } : { before: pageInfo?.startCursor };
    const { data } = await run(direction, { ...variables, ...cursor });
    ({ pageInfo } = data.user.orders);
    pages.push(data.user.orders.edges.map(({ node }) => node.id));
  } while (direction === 'forwards' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage);
  return { pages, all: (direction === 'forwards' ? pages : pages.toReversed()).flat() };
}
