// Subscribes with urql over a WebSocket.
import { moduleIn } from './documented.mjs';
import { notValid, scenarios, subscriptions } from './subscriptions.mjs';

const name = 'urql and graphql-ws';
const texts = { ...subscriptions, notValid };

async function connect(to) {
  const { client } = await moduleIn(name, to);
  return {
    subscribe(operation, variables, observe) {
      const results = client.subscription(texts[operation], variables);
      const show = ({ data, error, hasNext }) => observe({ data, error, isOver: !hasNext });
      return results.subscribe(show).unsubscribe;
    },
  };
}

const failed = (code) => ({ 'error.graphQLErrors[0].extensions.code': code });

scenarios({
  name,
  connect,
  sees: {
    state: { 'data.user.name': 'Grace Hopper', error: undefined },
    change: { 'data.user.name': 'Amazing Grace', error: undefined },
    forbidden: { 'data.user.email': null, ...failed('FORBIDDEN') },
    invalid: { data: undefined, ...failed('GRAPHQL_VALIDATION_FAILED') },
    unauthenticated: { data: undefined, 'error.networkError.code': 4403 },
    expires: { 'error.networkError.code': 4403 },
    stops: { 'data.user.name': 'Amazing Grace' },
    dies: { 'data.user.name': 'Amazing Grace' },
  },
});
