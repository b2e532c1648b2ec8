import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { isSubscriptionOperation, relayStylePagination } from '@apollo/client/utilities';
import { config } from '../config';
import { authorization } from './authorization';
import { cost } from './cost';
import { createLiveLink } from './live';
import { patience } from './patience';

declare module '@apollo/client' {
  export namespace ApolloClient {
    export namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'all';
      }
    }
  }
}

export const createClient = () =>
  new ApolloClient({
    link: ApolloLink.from([
      cost,
      patience,
      authorization,
      ApolloLink.split(
        ({ query }) => isSubscriptionOperation(query),
        createLiveLink(),
        new HttpLink({ uri: config.endpoint }),
      ),
    ]),
    cache: new InMemoryCache({
      possibleTypes: { Node: ['User', 'Order', 'Item', 'Follow'] },
      typePolicies: {
        // Orders grow while one scrolls. Followers are shown page by page: each page is kept under its own arguments.
        User: { fields: { orders: relayStylePagination(['createdAt']) } },
      },
    }),
    // With the data that there are, show which are missing.
    defaultOptions: { watchQuery: { errorPolicy: 'all' } },
  });
