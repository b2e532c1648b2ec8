// TypeDORM and the API write to one table.
import { createRequire } from 'node:module';
import { roundTrips } from './roundtrip.mjs';

// The package names modules for import that Node does not find.
const require = createRequire(import.meta.url);
require('reflect-metadata');
const { Attribute, AutoGenerateAttribute, AUTO_GENERATE_ATTRIBUTE_STRATEGY, Entity, INDEX_TYPE, Table } = require('@typedorm/common');
const { createConnection } = require('@typedorm/core');
const { DocumentClientV3 } = require('@typedorm/document-client');

class User {}

/** What a decorator does in TypeScript. */
function decorate(name, type, decorator) {
  Reflect.defineMetadata('design:type', type, User.prototype, name);
  decorator(User.prototype, name);
}

for (const name of ['org', 'user', 'name', 'status', 'age']) decorate(name, String, Attribute());
decorate('email', String, Attribute({ unique: true }));
decorate('tags', Array, Attribute());
decorate('anything', Object, Attribute());
const strategy = AUTO_GENERATE_ATTRIBUTE_STRATEGY.EPOCH_DATE;
decorate('createdAt', Number, AutoGenerateAttribute({ strategy }));
decorate('updatedAt', Number, AutoGenerateAttribute({ strategy, autoUpdate: true }));
Entity({
  name: 'user',
  primaryKey: { partitionKey: 'ORG#{{org}}', sortKey: 'USER#{{user}}' },
  indexes: { GSI1: { partitionKey: 'STATUS#{{status}}', sortKey: 'NAME#{{name}}#{{age}}x', type: INDEX_TYPE.GSI } },
})(User);

let connections = 0;

function open(client, name) {
  const indexes = { GSI1: { partitionKey: 'GSI1PK', sortKey: 'GSI1SK', type: INDEX_TYPE.GSI } };
  const table = new Table({ name, partitionKey: 'PK', sortKey: 'SK', indexes });
  const documentClient = new DocumentClientV3(client, { marshallOptions: { removeUndefinedValues: true } });
  const { entityManager } = createConnection({ name: `connection ${connections++}`, table, entities: [User], documentClient });
  const keyOf = ({ org, user }) => ({ org, user });
  const find = async (partition, options) => (await entityManager.find(User, partition, options)).items.map(fromLibrary);
  return {
    User: {
      key: ({ org, user }) => ({ PK: `ORG#${org}`, SK: `USER#${user}` }),
      create: (object) => entityManager.create(Object.assign(new User(), object)),
      remove: (object) => entityManager.delete(User, keyOf(object)),
      async get(object) {
        const found = await entityManager.findOne(User, keyOf(object));
        return found && fromLibrary(found);
      },
      update(object, patch, changed) {
        // The attributes of an index are written only if all of their values are given.
        const derived = changed.age && { status: changed.status, name: changed.name, age: changed.age };
        return entityManager.update(User, keyOf(object), { ...derived, ...patch });
      },
      lists: {
        users: ({ org }) => find({ org }),
        usersByStatus: ({ status }) => find({ status }, { queryIndex: 'GSI1' }),
      },
    },
  };
}

const time = (seconds) => new Date(seconds * 1000).toISOString();

/** An object without the attributes that only scripts know, which this library reads as well. */
const fromLibrary = ({ createdAt, updatedAt, ...object }) => ({
  ...Object.fromEntries(Object.entries(object).filter(([name]) => !name.startsWith('x_'))),
  createdAt: time(createdAt),
  updatedAt: time(updatedAt),
});

const fields = {
  name: (random) => random.one(['Ann', 'Østen', 'Bo b']),
  email: (random) => `${random.int(0, 10 ** 9)}@Example.com`,
  tags: (random) => random.some(['', 'x', 'x', 'Ä']),
  anything: (random) => random.one([{ Deep: [1, { a: '' }] }, ['x', 2.5, true], 'text', 7]),
};

const indexed = (random) => ({ status: random.one(['on', 'Off']), age: `${random.int(1, 99)}` });

roundTrips('TypeDORM', {
  folder: 'typedorm',
  table: { pk: 'PK', sk: 'SK', indexes: { GSI1: ['GSI1PK', 'GSI1SK'] } },
  clockAttributes: ['createdAt', 'updatedAt'],
  claims: { prefix: 'DRM_GEN_', own: ['userId', '__en'] },
  unique: { type: 'User', field: 'email', value: (side) => `${side}@Example.com` },
  foreignIn: { except: ['x_digits'] }, // it cannot read them
  open,
  types: {
    User: {
      key: ['org', 'user'],
      selection: 'org user name email status age tags anything createdAt updatedAt',
      clock: ['createdAt', 'updatedAt'],
      make: (random) => ({
        org: random.one(['acme', 'Zorg x']),
        user: `u${random.int(1, 30)}`,
        ...Object.fromEntries(Object.entries(fields).map(([field, make]) => [field, make(random)])),
        ...random.maybe(() => indexed(random)),
      }),
      // An update of TypeDORM removes nothing, and sets a value of an index only if all others are there.
      change(random, { age }) {
        const changes = { ...random.maybe(() => indexed(random)) };
        for (const field of random.some(Object.keys(fields)).slice(0, 3)) {
          if (field !== 'name' || age || changes.age) changes[field] = fields[field](random);
        }
        return Object.keys(changes).length > 0 ? changes : { tags: ['changed'] };
      },
      lists: {
        users: ({ org }) => ({ org }),
        usersByStatus: ({ status }) => status && { status },
      },
    },
  },
});
