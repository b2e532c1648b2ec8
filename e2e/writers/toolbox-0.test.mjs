// dynamodb-toolbox 0.9 and the API write to one table.
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Entity, Table } from 'dynamodb-toolbox-0';
import { roundTrips } from './roundtrip.mjs';

function open(client, name) {
  const DocumentClient = DynamoDBDocumentClient.from(client, { marshallOptions: { convertEmptyValues: false, removeUndefinedValues: true } });
  const indexes = { gsi1: { partitionKey: 'gsi1pk', sortKey: 'gsi1sk' } };
  const table = new Table({ name, partitionKey: 'pk', sortKey: 'sk', indexes, DocumentClient });
  const entity = new Entity({
    name: 'Customer',
    table,
    attributes: {
      customer: { partitionKey: true, prefix: 'CUSTOMER|' },
      sk: { sortKey: true, hidden: true },
      company: ['sk', 0],
      number: ['sk', 1],
      email: { map: 'em' },
      tier: {},
      gsi1pk: { hidden: true }, // by the application: a default could not be removed
      gsi1sk: { hidden: true },
      status: ['gsi1sk', 0],
      since: ['gsi1sk', 1],
      note: { alias: 'comment' },
      tags: { type: 'set', setType: 'string' },
      scores: { type: 'set', setType: 'number' },
      codes: { type: 'list' },
      address: { type: 'map' },
      age: { type: 'number' },
      vip: { type: 'boolean' },
    },
  });
  const keyOf = ({ customer, company, number }) => ({ customer, company, number });
  const query = async (pk, options) => (await entity.query(pk, options)).Items.map(fromLibrary);
  return {
    Customer: {
      key: ({ customer, company, number }) => ({ pk: `CUSTOMER|${customer}`, sk: `${company}#${number}` }),
      create: (object) => entity.put(toLibrary(object), { conditions: { attr: 'pk', exists: false } }),
      put: (object) => table.batchWrite([entity.putBatch(toLibrary(object))]),
      remove: (object) => entity.delete(keyOf(object)),
      async get(object) {
        const { Item } = await entity.get(keyOf(object));
        return Item && fromLibrary(Item);
      },
      update(object, patch, changed) {
        const removed = Object.keys(patch).filter((field) => patch[field] === null);
        const whole = toLibrary(changed);
        const set = Object.fromEntries(Object.keys(patch).filter((field) => field in whole).map((field) => [field, whole[field]]));
        // A map that is there keeps what nobody means to change.
        if (set.address && object.address) set.address = { $set: set.address };
        // An attribute of the index is written only if all that it is made of is given, and removed only if it is named.
        for (const field of ['gsi1pk', 'status', 'since']) if (field in whole) set[field] = whole[field];
        if (!('tier' in whole)) removed.push('gsi1pk');
        if (!('status' in whole && 'since' in whole)) removed.push('gsi1sk');
        return entity.update({ ...keyOf(object), ...set, ...(removed.length > 0 && { $remove: removed }) });
      },
      special: {
        'adds tags': (object, { tags }) => entity.update({ ...keyOf(object), tags: { $add: tags } }),
        'deletes a tag': (object, { tags }) => entity.update({ ...keyOf(object), tags: { $delete: tags } }),
        'appends codes': (object, { codes }) => entity.update({ ...keyOf(object), codes: { $append: codes } }),
        'has a birthday': (object) => entity.update({ ...keyOf(object), age: { $add: 1 } }),
      },
      lists: {
        customers: ({ customer }) => query(`CUSTOMER|${customer}`),
        customersByTier: ({ tier }) => query(`TIER#${tier}`, { index: 'gsi1' }),
      },
    },
  };
}

const toLibrary = ({ address, ...object }) => {
  const { city, ...rest } = address ?? {};
  return { ...object, ...(object.tier && { gsi1pk: `TIER#${object.tier}` }), ...(address && { address: { ...(city !== undefined && { City: city }), ...rest } }) };
};

const fromLibrary = ({ entity, address, ...object }) => {
  const { City, zip } = address ?? {};
  return sorted({ ...object, ...(address && { address: { ...(City !== undefined && { city: City }), ...(zip !== undefined && { zip }) } }) });
};

/** An object with its sets in order, and no attribute that only scripts know. */
const sorted = ({ tags, scores, ...object }) => ({
  ...Object.fromEntries(Object.entries(object).filter(([name]) => !name.startsWith('x_'))),
  ...(tags && { tags: [...tags].sort() }),
  ...(scores && { scores: [...scores].sort() }),
});

const tags = ['a', 'B', 'ä', '10'];

const fields = {
  email: (random) => `${random.int(1, 99)}@Example.com`,
  tier: (random) => random.one(['Gold', 'silver']),
  comment: (random) => random.words(),
  tags: (random) => random.some(tags).sort(),
  scores: (random) => random.some([0, -1, 2.5]).sort(),
  codes: (random) => random.some([1, 'a', '', true, [2, { q: 1 }], { Deep: { list: [] } }]),
  address: (random) => ({ ...(random.chance(0.6) && { city: random.words() }), zip: random.int(0, 99) }),
  age: (random) => random.int(0, 120),
  vip: (random) => random.chance(0.5),
};

const ordering = (random) => ({ status: random.one(['open', 'Closed']), since: `20${random.int(10, 26)}-01-31` });

roundTrips('dynamodb-toolbox 0.9', {
  folder: 'toolbox-0',
  table: { pk: 'pk', sk: 'sk', indexes: { gsi1: ['gsi1pk', 'gsi1sk'] } },
  clockAttributes: ['_ct', '_md'],
  foreignIn: { maps: ['address'] },
  open,
  types: {
    Customer: {
      key: ['customer', 'company', 'number'],
      selection: 'customer company number email tier status since comment tags scores codes address { city zip } age vip created modified',
      clock: ['created', 'modified'],
      make: (random) => ({
        customer: random.one(['c1', 'C 2']),
        company: random.one(['Acme', 'Zorg']),
        number: `${random.int(1, 30)}`,
        ...Object.fromEntries(Object.entries(fields).map(([field, make]) => [field, random.maybe(() => make(random))])),
        ...random.maybe(() => ordering(random)),
      }),
      // No update of this version removes a part of a map.
      change: (random, { address }) => ({
        ...Object.fromEntries(
          random
            .some(Object.keys(fields))
            .slice(0, 3)
            .map((field) => [field, random.chance(0.3) ? null : field === 'address' ? { ...address, ...fields.address(random) } : fields[field](random)]),
        ),
        ...random.one([{}, ordering(random), { status: null, since: null }]),
      }),
      fromNode: sorted,
      lists: {
        customers: ({ customer }) => ({ customer }),
        customersByTier: ({ tier, status, since }) => (tier && status && since ? { tier } : undefined),
      },
      special: {
        'adds tags': (random, object) => {
          const added = random.some(tags);
          return { tags: added, after: { ...object, tags: [...new Set([...(object.tags ?? []), ...added])].sort() } };
        },
        'deletes a tag': (random, object) => {
          if (!(object.tags?.length > 1)) return undefined;
          const tag = random.one(object.tags);
          return { tags: [tag], after: { ...object, tags: object.tags.filter((other) => other !== tag) } };
        },
        'appends codes': (random, object) => {
          if (!object.codes) return undefined;
          return { codes: ['more', 1], after: { ...object, codes: [...object.codes, 'more', 1] } };
        },
        'has a birthday': (random, object) => object.age === undefined ? undefined : { after: { ...object, age: object.age + 1 } },
      },
    },
  },
});
