// Reads pairs of schemas, a JSON array of [base, head] in SDL, and writes what GraphQL.js finds breaking and dangerous,
// each as [level, schema coordinate]. Scalars of GraphQL itself that are not used any more are left out.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { buildSchema, findBreakingChanges, findDangerousChanges } = createRequire(process.argv[2])('graphql');

const coordinates = [
  [/^(\w+)\.(\w+) arg (\w+) /, (m) => `${m[1]}.${m[2]}(${m[3]}:)`],
  [/^An? (?:required|optional) arg (\w+) on directive (\w+) was added/, (m) => `@${m[2]}(${m[1]}:)`],
  [/^An? (?:required|optional) arg (\w+) on (\w+)\.(\w+) was added/, (m) => `${m[2]}.${m[3]}(${m[1]}:)`],
  [/^An? (?:required|optional) field (\w+) on input type (\w+) was added/, (m) => `${m[2]}.${m[1]}`],
  [/^(\w+) was (?:added to|removed from) enum type (\w+)/, (m) => `${m[2]}.${m[1]}`],
  [/^\w+ was (?:added to|removed from) union type (\w+)/, (m) => m[1]],
  [/^\w+ added to interfaces implemented by (\w+)/, (m) => m[1]],
  [/^(\w+) no longer implements/, (m) => m[1]],
  [/^Repeatable flag was removed from (\w+)/, (m) => `@${m[1]}`],
  [/^(\w+\.\w+) /, (m) => m[1]],
];

function coordinate({ type, description }) {
  if (type === 'DIRECTIVE_REMOVED') return `@${description.split(' ')[0]}`;
  if (type === 'DIRECTIVE_LOCATION_REMOVED') return description.replace(/^\w+ was removed from (\w+)\.$/, '@$1');
  if (type === 'DIRECTIVE_ARG_REMOVED') return description.replace(/^(\w+) was removed from (\w+)\.$/, '@$2($1:)');
  for (const [pattern, path] of coordinates) {
    const match = pattern.exec(description);
    if (match) return path(match);
  }
  return /^(\w+) /.exec(description)[1];
}

const changes = ([base, head]) => {
  const [before, after] = [buildSchema(base), buildSchema(head)];
  const list = (level, found) =>
    found.filter(({ description }) => !description.startsWith('Standard scalar')).map((change) => [level, coordinate(change)]);
  return [...list('BREAKING', findBreakingChanges(before, after)), ...list('DANGEROUS', findDangerousChanges(before, after))];
};

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(changes)));
