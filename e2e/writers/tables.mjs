// The raw items of a table and of its twin, to which only the library writes.
import assert from 'node:assert/strict';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { scan } from './engine.mjs';

/** Attributes that another program could add: no schema and no model of a library declares them. */
const foreign = {
  x_digits: { N: '12345678901234567890123456789012345678' },
  x_small: { N: '1E-130' },
  x_empty: { S: '' },
  x_bytes: { B: new Uint8Array([0, 255, 128, 10]) },
  x_null: { NULL: true },
  x_set: { NS: ['1', '-2.5', '1E+30'] },
  x_blobs: { BS: [new Uint8Array([1]), new Uint8Array([0, 2])] },
  x_mixed: { L: [{ S: '' }, { N: '0' }, { BOOL: false }, { L: [{ M: {} }] }, { SS: ['b', 'a'] }] },
  x_map: { M: { Deep: { M: { SET: { SS: ['Ä', 'a'] }, none: { NULL: true } } }, '': { S: 'no name' } } },
};

/** Almost as much as an item can have. */
const large = { S: 'x'.repeat(350_000) };

export class Tables {
  #client;
  #names;
  #pk;
  #sk;
  #indexes;
  #clock;
  #claims;
  #foreign;
  #maps;

  /**
   * `claims` are the partition keys of claims of unique values: what they begin with, and the attributes that only the
   * API writes there. `maps` are the attributes with maps of known attributes, `lists` those with lists of such maps;
   * `except` is not added.
   */
  constructor(client, names, { table, clockAttributes = [], claims, foreignIn: { maps = [], lists = [], except = [] } = {} }) {
    this.#client = client;
    this.#names = names;
    this.#pk = table.pk;
    this.#sk = table.sk;
    this.#indexes = Object.values(table.indexes ?? {});
    this.#clock = clockAttributes;
    this.#claims = claims;
    this.#foreign = Object.entries(foreign).filter(([name]) => !except.includes(name));
    this.#maps = [...maps.map((attribute) => ({ attribute })), ...lists.map((attribute) => ({ attribute, inList: true }))];
  }

  /** Adds attributes to an item of both tables, and to the maps in it. */
  async addForeign(random, key) {
    const added = random.some(this.#foreign).slice(0, 4);
    if (random.chance(0.1)) added.push(['x_large', large]);
    const item = (await scan(this.#client, this.#names[0])).find((item) => this.#isAt(item, key));
    const maps = this.#maps.filter(({ attribute, inList }) => (inList ? item[attribute]?.L?.[0]?.M : item[attribute]?.M));
    const sets = [
      ...added.map(([name, value], i) => ({ path: `#n${i}`, name, value })),
      ...maps.map(({ attribute, inList }, i) => ({ path: `#m${i}${inList ? '[0]' : ''}.x_inner`, name: attribute, value: foreign.x_map })),
    ];
    for (const TableName of this.#names) {
      await this.#client.send(
        new UpdateItemCommand({
          TableName,
          Key: Object.fromEntries(Object.entries(key).map(([name, S]) => [name, { S }])),
          UpdateExpression: `SET ${sets.map(({ path }, i) => `${path} = :v${i}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(sets.map(({ path, name }) => [path.match(/^#\w+/)[0], name])),
          ExpressionAttributeValues: Object.fromEntries(sets.map(({ value }, i) => [`:v${i}`, value])),
        }),
      );
    }
  }

  /** Removes what addForeign has added inside of lists, from those of these attributes. */
  async removeForeign(key, attributes) {
    const item = (await scan(this.#client, this.#names[0])).find((item) => this.#isAt(item, key));
    for (const { attribute } of this.#maps.filter(({ attribute, inList }) => inList && attributes.includes(attribute))) {
      if (!item[attribute]?.L?.[0]?.M?.x_inner) continue;
      for (const TableName of this.#names) {
        const Key = Object.fromEntries(Object.entries(key).map(([name, S]) => [name, { S }]));
        const [UpdateExpression, ExpressionAttributeNames] = ['REMOVE #list[0].x_inner', { '#list': attribute }];
        await this.#client.send(new UpdateItemCommand({ TableName, Key, UpdateExpression, ExpressionAttributeNames }));
      }
    }
  }

  /** Fails unless both tables have the same items, with the same attributes of the same types. */
  async compare() {
    const [main, twin] = await Promise.all(this.#names.map((name) => this.#items(name)));
    assert.deepEqual(main, twin, 'the table differs from its twin, to which the library alone has written the same');
  }

  #isAt = (item, key) => Object.entries(key).every(([name, value]) => item[name]?.S === value);

  /** The items by their keys. */
  async #items(name) {
    const items = (await scan(this.#client, name)).map((item) => [`${item[this.#pk].S} ${item[this.#sk]?.S}`, this.#comparable(item)]);
    return Object.fromEntries(items.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * The item with what decides whether two are the same: sets in order, of the times that a clock has decided their
   * form, and of an index no key attribute without the others, which is no entry.
   */
  #comparable(item) {
    const attributes = { ...item };
    for (const index of this.#indexes) {
      const own = index.filter((name) => !this.#isTableKey(name));
      if (index.some((name) => !(name in item))) for (const name of own) delete attributes[name];
    }
    if (this.#claims && item[this.#pk].S.startsWith(this.#claims.prefix)) for (const name of this.#claims.own) delete attributes[name];
    for (const name of this.#clock) if (name in attributes) attributes[name] = form(attributes[name]);
    return Object.fromEntries(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, ordered(value)]));
  }

  #isTableKey = (name) => name === this.#pk || name === this.#sk;
}

/** The type and the form of a value, without its digits. */
const form = (value) => Object.fromEntries(Object.entries(value).map(([type, text]) => [type, String(text).replaceAll(/\d/g, '0')]));

/** An attribute value whose sets are in order. */
function ordered(value) {
  const [[type, content]] = Object.entries(value);
  switch (type) {
    case 'SS':
    case 'NS':
      return { [type]: [...content].sort() };
    case 'BS':
      return { BS: content.map((bytes) => Buffer.from(bytes).toString('hex')).sort() };
    case 'B':
      return { B: Buffer.from(content).toString('hex') };
    case 'L':
      return { L: content.map(ordered) };
    case 'M':
      return { M: Object.fromEntries(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, ordered(part)])) };
    default:
      return value;
  }
}
