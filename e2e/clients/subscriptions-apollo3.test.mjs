// Subscribes with Apollo Client 3, over a WebSocket and by multipart responses.
import apollo from 'apollo-client-3';
import { connectBy } from './subscriptions-apollo.mjs';
import { scenarios } from './subscriptions.mjs';

const { gql } = apollo;
const alias = { '@apollo/client': 'apollo-client-3' };
const named = ({ errors }) => ({ errors });
const failed = (code) => ({ 'errors[0].extensions.code': code });
const ended = (code) => ({ 'error.graphQLErrors[0].extensions.code': code });
const common = {
  state: { 'data.user.name': 'Grace Hopper', errors: undefined },
  change: { 'data.user.name': 'Amazing Grace', errors: undefined },
  forbidden: { 'data.user.email': null, ...failed('FORBIDDEN') },
};

scenarios({
  name: 'Apollo Client 3 and graphql-ws',
  connect: connectBy('Apollo Client and graphql-ws', gql, named, alias),
  sees: {
    ...common,
    invalid: ended('GRAPHQL_VALIDATION_FAILED'),
    unauthenticated: { 'error.message': /^Socket closed with event 4403 UNAUTHENTICATED/ },
    expires: { 'error.message': /^Socket closed with event 4403 UNAUTHENTICATED/ },
    stops: { 'data.user.name': 'Amazing Grace' },
    dies: { 'data.user.name': 'Amazing Grace' },
  },
});

scenarios({
  name: 'Apollo Client 3 and multipart',
  connect: connectBy('Apollo Client 3', gql, named, alias),
  sees: {
    ...common,
    invalid: failed('GRAPHQL_VALIDATION_FAILED'),
    unauthenticated: { 'error.statusCode': 401, 'error.result.errors[0].extensions.code': 'UNAUTHENTICATED' },
    expires: { 'error.protocolErrors[0].extensions.code': 'UNAUTHENTICATED' },
    stops: { isOver: true },
    dies: { 'error.message': 'terminated', isOver: true },
  },
});
