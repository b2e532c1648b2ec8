// Expectations of what a developer sees, as expressions that the developer would write.
import assert from 'node:assert/strict';

/** Evaluates expressions over the named values, and compares each with the value, or the pattern, that it has here. */
export function assertSeen(expected, values) {
  const expressions = Object.keys(expected);
  const seen = Object.fromEntries(expressions.map((expression) => [expression, evaluate(expression, values)]));
  const wanted = Object.entries(expected).map(([expression, value]) => {
    const matches = value instanceof RegExp && typeof seen[expression] === 'string' && value.test(seen[expression]);
    return [expression, matches ? seen[expression] : value];
  });
  assert.deepEqual(seen, Object.fromEntries(wanted));
}

function evaluate(expression, values) {
  try {
    return new Function(...Object.keys(values), `return (${expression})`)(...Object.values(values));
  } catch (error) {
    return `${error} in ${expression}`;
  }
}

/** An expectation in Markdown: `expression` alone if it is true, otherwise with its value. */
export function describeSeen([expression, value]) {
  if (value === true) return `\`${expression}\``;
  if (value instanceof RegExp) return `\`${expression}\` matches \`${value}\``;
  return `\`${expression}\` is \`${value === undefined ? 'undefined' : JSON.stringify(value)}\``;
}
