// Subscribes with curl: by server-sent events.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { commandIn } from './documented.mjs';
import { notValid, scenarios, subscriptions } from './subscriptions.mjs';

const name = 'curl and server-sent events';
const texts = { ...subscriptions, notValid };

async function connect({ url, token }) {
  const command = (await commandIn(name, url))
    .replace('@operation.json', '@-')
    .replace(token ? '' : '-H "Authorization: Bearer $TOKEN"', '');
  const none = { event: undefined, body: undefined, exit: undefined, isOver: false };
  return {
    subscribe(operation, variables, observe) {
      const child = spawn('sh', ['-c', `exec ${command}`], { env: { ...process.env, TOKEN: token } });
      child.stdin.end(JSON.stringify({ query: texts[operation], variables }));
      let body;
      createInterface(child.stdout).on('line', (line) => {
        const [, data] = line.match(/^data: *(\{.*)$/) ?? [];
        if (data) observe({ ...none, event: JSON.parse(data) });
        else if (line.startsWith('{')) body = JSON.parse(line);
      });
      child.on('close', (exit) => observe({ ...none, body, exit, isOver: true }));
      return () => child.kill();
    },
  };
}

scenarios({
  name,
  connect,
  sees: {
    state: { 'event.data.user.name': 'Grace Hopper' },
    change: { 'event.data.user.name': 'Amazing Grace' },
    forbidden: { 'event.data.user.email': null, 'event.errors[0].extensions.code': 'FORBIDDEN' },
    invalid: { 'event.errors[0].extensions.code': 'GRAPHQL_VALIDATION_FAILED' },
    unauthenticated: { exit: 22, 'body.errors[0].extensions.code': 'UNAUTHENTICATED' },
    expires: { 'event.errors[0].extensions.code': 'UNAUTHENTICATED' },
    stops: { exit: 0 },
    dies: { exit: 18 },
  },
});
