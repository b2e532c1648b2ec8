// What the design says about fields, in the descriptions that the documentation and the editor show: key conditions,
// prices and rules. Only this page has them; the schema that clients see is as it was written.
import { settings } from './settings.js';
import { reach } from './ui/alive.js';

/** The answer to an introspection query, with the facts in the descriptions of fields. */
export async function withFacts(answer) {
  const [result, facts] = await Promise.all([answer, load()]);
  for (const { name, fields } of result.data?.__schema.types ?? []) {
    for (const field of fields ?? []) {
      field.description = [field.description, facts[`${name}.${field.name}`]].filter(Boolean).join('\n\n');
    }
  }
  return result;
}

async function load() {
  if (!settings.fields) return {};
  try {
    const response = await reach(settings.fields);
    return response.ok ? await response.json() : {};
  } catch {
    return {}; // The introspection has no answer either, and the page says so.
  }
}
