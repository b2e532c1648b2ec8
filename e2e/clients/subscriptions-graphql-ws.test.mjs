// Subscribes with graphql-ws by itself.
import { moduleIn } from './documented.mjs';
import { notValid, scenarios, subscriptions } from './subscriptions.mjs';

const name = 'graphql-ws';
const texts = { ...subscriptions, notValid };
const none = { result: undefined, error: undefined, isOver: false };

async function connect(to) {
  const { subscribe } = await moduleIn(name, to);
  return {
    subscribe: (operation, variables, observe) =>
      subscribe(
        { query: texts[operation], variables },
        {
          next: (result) => observe({ ...none, result }),
          error: (error) => observe({ ...none, error, isOver: true }),
          complete: () => observe({ ...none, isOver: true }),
        },
      ),
  };
}

scenarios({
  name,
  connect,
  nameIn: ({ result }) => result.data.user.name,
  sees: {
    state: { 'result.data.user.name': 'Grace Hopper' },
    change: { 'result.data.user.name': 'Amazing Grace' },
    forbidden: { 'result.data.user.email': null, 'result.errors[0].extensions.code': 'FORBIDDEN' },
    invalid: { 'error[0].extensions.code': 'GRAPHQL_VALIDATION_FAILED' },
    unauthenticated: { 'error.code': 4403, 'error.reason': /^UNAUTHENTICATED/ },
    expires: { 'error.code': 4403, 'error.reason': /^UNAUTHENTICATED/ },
    stops: { 'result.data.user.name': 'Amazing Grace' },
    dies: { 'result.data.user.name': 'Amazing Grace' },
  },
});
