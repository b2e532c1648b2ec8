// A local engine of a test's own, with tables that the test creates, as an application's deployment would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { freePort, root } from '../process.mjs';

// The SDK warns on standard error that it will need a newer Node.js.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const platform = `${process.platform}-${process.arch}`;

/** Starts an engine in memory. Its `settings` are those of a process that shall use it. */
export async function startEngine() {
  const port = await freePort();
  const binary = process.env.DYNOXIDE ?? join(root, 'node_modules/@dynoxide', platform, 'dynoxide');
  const child = spawn(binary, ['serve', '--host', '127.0.0.1', '--port', `${port}`], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  const kill = () => child.kill();
  process.once('exit', kill);
  await Promise.race([
    once(child.stderr, 'data'),
    exited.then(([code]) => Promise.reject(new Error(`the engine ended with ${code}`))),
  ]);
  child.stderr.resume();
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  return {
    client,
    settings: { DYNAMODB_ENDPOINT: endpoint, AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    async stop() {
      client.destroy();
      process.off('exit', kill);
      kill();
      await exited;
    },
  };
}

/** Creates a table; `indexes` has the key attributes of each index by its name. All key attributes are Strings but those in `types`. */
export async function createTable(client, { name, pk, sk, indexes = {}, types = {} }) {
  const keys = [[pk, sk], ...Object.values(indexes)];
  const schema = ([hash, range]) => [
    { AttributeName: hash, KeyType: 'HASH' },
    ...(range ? [{ AttributeName: range, KeyType: 'RANGE' }] : []),
  ];
  const attributes = [...new Set(keys.flat().filter(Boolean))];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: schema([pk, sk]),
      AttributeDefinitions: attributes.map((name) => ({ AttributeName: name, AttributeType: types[name] ?? 'S' })),
      GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, key]) => ({
        IndexName,
        KeySchema: schema(key),
        Projection: { ProjectionType: 'ALL' },
      })),
    }),
  );
}

/** All items of a table, as DynamoDB has them. */
export async function scan(client, TableName) {
  const items = [];
  for (let ExclusiveStartKey; ; ) {
    const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }));
    items.push(...page.Items);
    if (!(ExclusiveStartKey = page.LastEvaluatedKey)) return items;
  }
}
