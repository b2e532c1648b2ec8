// The API of a folder: generated mutations, objects by their ids, and the connections of Query.
import assert from 'node:assert/strict';

/** For each type, `create`, `update` and `remove`, as a library has them. */
export class Api {
  #url;
  #types;

  constructor(url, types) {
    this.#url = url;
    this.#types = types;
    for (const [type, { mutations = type }] of Object.entries(types)) {
      this[type] = {
        create: (object) => this.#mutate(`create${mutations}`, this.#input(type, object)),
        update: (object, patch) => this.#mutate(`update${mutations}`, { id: this.#id(type, object), ...this.#input(type, patch) }),
        remove: (object) => this.#mutate(`delete${mutations}`, { id: this.#id(type, object) }),
        errorsOfCreate: (object) => this.#errorsOf(`create${mutations}`, this.#input(type, object)),
      };
    }
  }

  /** Objects by their ids, null where there is none. */
  async objects(type, objects) {
    if (objects.length === 0) return [];
    const ids = objects.map((object) => this.#id(type, object));
    const { nodes } = await this.#ask(`query ($ids: [ID!]!) { nodes(ids: $ids) { ...on ${type} { ${this.#types[type].selection} } } }`, { ids });
    return nodes.map((node) => node && this.#object(type, node));
  }

  /** What connections have, each read in pages of a size of its own. */
  async lists(type, asked) {
    const found = asked.map(() => []);
    let open = asked.map((list, i) => ({ ...list, i, first: 1 + ((i + asked.length) % 5) }));
    while (open.length > 0) {
      const fields = open.map(({ field, args, i, first, after }) => {
        const page = literals({ ...args, first, ...(after && { after }) });
        return `l${i}: ${field}(${page}) { nodes { __typename ...on ${type} { ${this.#types[type].selection} } } pageInfo { hasNextPage endCursor } }`;
      });
      const data = await this.#ask(`{ ${fields.join('\n')} }`);
      for (const { i } of open) found[i].push(...data[`l${i}`].nodes.filter(({ __typename }) => __typename === type));
      open = open
        .map((list) => ({ ...list, after: data[`l${list.i}`].pageInfo.endCursor }))
        .filter(({ i }) => data[`l${i}`].pageInfo.hasNextPage);
    }
    return found.map((nodes) => nodes.map(({ __typename, ...node }) => this.#object(type, node)));
  }

  /** The global id. */
  #id(type, object) {
    const { key, idOf = (object) => key.map((field) => object[field]) } = this.#types[type];
    const values = idOf(object).map((value) => String(value).replaceAll('%', '%25').replaceAll(':', '%3A'));
    return Buffer.from([type, ...values].join(':')).toString('base64url');
  }

  #input = (type, object) => this.#types[type].toInput?.(object) ?? object;

  #object = (type, node) => {
    const object = present(node);
    for (const field of this.#types[type].clock ?? []) if (field in object) object[field] = new Date(object[field]).toISOString();
    return this.#types[type].fromNode?.(object) ?? object;
  };

  async #mutate(mutation, input) {
    assert.deepEqual(await this.#errorsOf(mutation, input), []);
  }

  /** The user errors of a mutation. */
  async #errorsOf(mutation, input) {
    const inputType = `${mutation[0].toUpperCase()}${mutation.slice(1)}Input!`;
    const data = await this.#ask(`mutation ($input: ${inputType}) { ${mutation}(input: $input) { userErrors { field code message } } }`, { input });
    return data[mutation].userErrors;
  }

  async #ask(query, variables) {
    const response = await fetch(`${this.#url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'partita-consistency': 'strong' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    assert.equal(errors, undefined, `${JSON.stringify(errors)} of ${query} with ${JSON.stringify(variables)}`);
    return data;
  }
}

/** A value without the fields that are null, at any depth. */
function present(value) {
  if (Array.isArray(value)) return value.map(present);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name, present(part)]),
  );
}

const literals = (args) =>
  Object.entries(args)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ');
