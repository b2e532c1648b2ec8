// Subscribes with Relay over a WebSocket.
import relay from 'relay-runtime';
import { moduleIn } from './documented.mjs';
import { compile } from './relay/compile.mjs';
import { notValid, scenarios, subscriptions } from './subscriptions.mjs';

const { requestSubscription } = relay;
const name = 'Relay and graphql-ws';

const artifacts = await compile(Object.values(subscriptions));
const named = ([key, text]) => [key, artifacts[text.match(/\w+ (\w+)/)[1]]];
const compiled = Object.fromEntries(Object.entries(subscriptions).map(named));
compiled.notValid = { ...compiled.user, params: { ...compiled.user.params, text: notValid } };

async function connect(to) {
  const { environment } = await moduleIn(name, to);
  const none = { data: undefined, error: undefined, isOver: false };
  return {
    subscribe(operation, variables, observe) {
      const { dispose } = requestSubscription(environment, {
        subscription: compiled[operation],
        variables,
        onNext: (data) => observe({ ...none, data }),
        onError: (error) => observe({ ...none, error, isOver: true }),
        onCompleted: () => observe({ ...none, isOver: true }),
      });
      return dispose;
    },
  };
}

scenarios({
  name,
  connect,
  sees: {
    state: { 'data.user.name': 'Grace Hopper' },
    change: { 'data.user.name': 'Amazing Grace' },
    forbidden: { 'data.user.name': 'Grace Hopper', 'data.user.email': null },
    invalid: { 'error[0].extensions.code': 'GRAPHQL_VALIDATION_FAILED' },
    unauthenticated: { 'error.code': 4403 },
    expires: { 'error.code': 4403 },
    stops: { 'data.user.name': 'Amazing Grace' },
    dies: { 'data.user.name': 'Amazing Grace' },
  },
});
