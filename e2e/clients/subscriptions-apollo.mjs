// What the tests of Apollo Client 3 and 4 that subscribe have in common.
import { moduleIn } from './documented.mjs';
import { notValid, subscriptions } from './subscriptions.mjs';

/** Returns how to connect with the module of a section. A result has `data`, and what `named` returns for it. */
export const connectBy = (section, gql, named, alias) => async (to) => {
  const { client } = await moduleIn(section, to, alias);
  const none = { data: undefined, ...named({}), error: undefined, isOver: false };
  return {
    subscribe(operation, variables, observe) {
      const query = gql({ ...subscriptions, notValid }[operation]);
      const subscription = client.subscribe({ query, variables, errorPolicy: 'all' }).subscribe({
        next: (result) => observe({ ...none, data: result.data, ...named(result) }),
        error: (error) => observe({ ...none, error, isOver: true }),
        complete: () => observe({ ...none, isOver: true }),
      });
      return () => subscription.unsubscribe();
    },
  };
};
