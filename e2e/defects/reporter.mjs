// Reports the tests that fail, each as a line of JSON. A suite or a file fails because of its tests.
import { relative } from 'node:path';
import { root } from '../process.mjs';

export default async function* failures(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.details.error?.failureType === 'subtestsFailed') continue;
    const file = relative(`${root}/e2e`, data.file ?? root).replace('.test.mjs', '');
    const { error } = data.details;
    yield `${JSON.stringify({ file, name: data.name, message: String(error?.cause?.message ?? error) })}\n`;
  }
}
