// Subscribes with Apollo Client 4, over a WebSocket and by multipart responses.
import { gql } from '@apollo/client';
import { CombinedGraphQLErrors, CombinedProtocolErrors } from '@apollo/client/errors';
import { connectBy } from './subscriptions-apollo.mjs';
import { scenarios } from './subscriptions.mjs';

const named = ({ error }) => ({ error });
const failed = (code) => ({ 'CombinedGraphQLErrors.is(error)': true, 'error.errors[0].extensions.code': code });
const common = {
  state: { 'data.user.name': 'Grace Hopper', error: undefined },
  change: { 'data.user.name': 'Amazing Grace', error: undefined },
  forbidden: { 'data.user.email': null, ...failed('FORBIDDEN') },
  invalid: { data: undefined, ...failed('GRAPHQL_VALIDATION_FAILED') },
};

scenarios({
  name: 'Apollo Client 4 and graphql-ws',
  connect: connectBy('Apollo Client and graphql-ws', gql, named),
  scope: { CombinedGraphQLErrors },
  sees: {
    ...common,
    unauthenticated: { data: undefined, 'error.message': /^Socket closed with event 4403 UNAUTHENTICATED/ },
    expires: { data: undefined, 'error.message': /^Socket closed with event 4403 UNAUTHENTICATED/ },
    stops: { 'data.user.name': 'Amazing Grace' },
    dies: { 'data.user.name': 'Amazing Grace' },
  },
});

scenarios({
  name: 'Apollo Client 4 and multipart',
  connect: connectBy('Apollo Client 4', gql, named),
  scope: { CombinedGraphQLErrors, CombinedProtocolErrors },
  sees: {
    ...common,
    unauthenticated: { data: undefined, ...failed('UNAUTHENTICATED') },
    expires: { 'CombinedProtocolErrors.is(error)': true, 'error.errors[0].extensions.code': 'UNAUTHENTICATED' },
    stops: { isOver: true },
    dies: { 'error.message': 'terminated' },
  },
});
