// Reports the tests that fail, each as a line of JSON. A suite or a file fails because of its tests.
import { basename } from 'node:path';

export default async function* failures(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.details.error?.failureType === 'subtestsFailed') continue;
    const file = basename(data.file ?? '', '.test.mjs');
    yield `${JSON.stringify({ file, name: data.name, message: String(data.details.error?.cause?.message ?? data.details.error) })}\n`;
  }
}
