// Uses the gateway as a script with curl does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { commandIn } from './documented.mjs';
import { pageByPage } from './paging.mjs';
import { notValid, operations, scenarios } from './scenarios.mjs';

const name = 'curl';

async function connect({ url, token, record }) {
  const command = (await commandIn(name, url))
    .replace('curl ', 'curl --verbose --trace-time ') // for the responses
    .replace('@operation.json', '@-')
    .replace(token ? '' : '-H "Authorization: Bearer $TOKEN"', '');
  return {
    /** The exit code, the message of curl, and the JSON that it has printed. */
    async run(operation, variables) {
      const shell = spawn('sh', ['-c', command], { env: { ...process.env, TOKEN: token } });
      const query = { ...operations, notValid }[operation];
      shell.stdin.on('error', () => {}).end(JSON.stringify({ query, variables })); // it may end without reading
      const output = [text(shell.stdout), text(shell.stderr), once(shell, 'close')];
      const [stdout, stderr, [exit]] = await Promise.all(output);
      responses(stderr).forEach(record);
      const bodies = stdout.split(/(?<=\})(?=\{"(?:data|errors)")/); // what was printed is not taken back by a retry
      const body = stdout ? JSON.parse(bodies.at(-1)) : undefined;
      return { exit, message: stderr.match(/^curl: .*/m)?.[0], body };
    },
  };
}

/** The responses that curl has received, according to its log. */
function responses(log) {
  const all = [];
  for (const [, time, header, value] of log.matchAll(/^(\d\d:\S{9})\S* < (HTTP|Retry-After)\S* (\d+)/gm)) {
    if (header === 'HTTP') all.push({ status: Number(value), retryAfter: 0, at: Date.parse(`1970-01-01T${time}Z`) });
    else all.at(-1).retryAfter = Number(value);
  }
  return all;
}

const failed = (code) => ({ 'body.errors[0].extensions.code': code });
const refused = (code) => ({ exit: 22, ...failed(code) });
const ok = { exit: 0 };

scenarios({
  name,
  connect,
  pages: ({ run }, ...rest) => pageByPage(async (...operation) => (await run(...operation)).body, ...rest),
  sees: {
    query: { status: 200, ...ok, 'body.data.user.name': 'Ada Lovelace' },
    partial: { status: 294, ...ok, 'body.data.user.name': 'Ada Lovelace', ...failed('BAD_USER_INPUT') },
    forbidden: { status: 294, ...ok, 'body.data.user.name': 'Ada Lovelace', ...failed('FORBIDDEN') },
    invalid: { status: 422, ...refused('GRAPHQL_VALIDATION_FAILED'), message: /returned error: 422/ },
    variable: { status: 422, ...refused('BAD_USER_INPUT') },
    costly: { status: 422, ...refused('COST_LIMIT'), 'body.errors[0].message': /With first: \d+/ },
    unauthenticated: { status: 401, ...refused('UNAUTHENTICATED') },
    throttled: { status: 429, ...refused('RATE_LIMITED') },
    retried: { status: 200, ...ok, 'body.data.nodes[0].__typename': 'User' },
    success: { status: 200, ...ok, 'body.data.updateUser.user.version': 2 },
    mistake: { status: 200, ...ok, 'body.data.updateUser.userErrors[0].code': 'INVALID' },
    conflict: { status: 200, ...ok, 'body.data.updateUser.userErrors[0].code': 'CONFLICT' },
    down: { status: null, exit: 7, message: /Failed to connect/ },
  },
});
