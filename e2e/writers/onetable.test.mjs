// OneTable and the API write to one table: with times as texts, and with times as numbers.
import { Table } from 'dynamodb-onetable';
import { Dynamo } from 'dynamodb-onetable/Dynamo';
import { roundTrips } from './roundtrip.mjs';

const text = { type: String };
const required = { type: String, required: true };
const key = (value) => ({ type: String, value, hidden: true });

const users = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: { primary: { hash: 'PK', sort: 'SK' }, gs1: { hash: 'GSI1PK', sort: 'GSI1SK', project: 'all' } },
  models: {
    Account: {
      PK: key('account#${region}${code}'),
      SK: key('account#'),
      region: required,
      code: required,
      name: { type: String, unique: true, required: true },
    },
    User: {
      PK: key('account#${account}'),
      SK: key('user#${user}'),
      account: required,
      user: required,
      name: required,
      email: { type: String, unique: true },
      role: text,
      zip: text,
      count: { type: Number },
      active: { type: Boolean },
      joined: { type: Date },
      tags: { type: Set },
      address: { type: Object, schema: { street: text, box: { type: Number, map: 'b' }, since: { type: Date } } },
      codes: { type: Array, items: { type: Object, schema: { kind: { type: String, map: 'k' }, value: { type: Number } } } },
      nick: { type: String, map: 'nn' },
      GSI1PK: key('role#${role}'),
      GSI1SK: key('zip#${zip}${name}'),
    },
  },
  params: { isoDates: true, timestamps: true },
};

const events = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: { primary: { hash: 'pk', sort: 'sk' }, byCode: { hash: 'gs1pk', sort: 'gs1sk', project: 'all' } },
  models: {
    Event: {
      pk: key('device#${device}'),
      sk: key('event#${at}'),
      device: required,
      at: { type: Date, required: true },
      kind: required,
      level: { type: Number },
      count: { type: Number },
      note: text,
      expires: { type: Date, ttl: true },
      gs1pk: key('code#${level:6:0}_${kind}'),
      gs1sk: key('${count:6:0}-${note}x'),
    },
  },
  params: { isoDates: false, timestamps: true, typeField: 'type', createdField: 'createdAt', updatedField: 'updatedAt' },
};

const tableOf = (schema) => (client, name) => new Table({ client: new Dynamo({ client }), name, schema, logger: false, partial: true });



/** What a model has. `times` are its attributes of type Date, and `derived` its index attributes with the fields that each is made of. */
function store(model, { keyOf, rawKey, times, derived, lists }) {
  const date = (value) => (typeof value === 'string' ? new Date(value) : value);
  const toLibrary = ({ tags, address, ...object }) => ({
    ...object,
    ...Object.fromEntries(times.filter((field) => field in object).map((field) => [field, date(object[field])])),
    ...(tags && { tags: new Set(tags) }),
    ...(address && { address: { ...address, ...(address.since && { since: date(address.since) }) } }),
  });
  const read = ({ [model.typeField]: _, ...object }) => fromLibrary(object);
  return {
    key: (object) => rawKey(object),
    create: (object) => model.create(toLibrary(object)),
    remove: (object) => model.remove(keyOf(object)),
    async get(object) {
      const found = await model.get(keyOf(object));
      return found && read(found);
    },
    async update(object, patch, changed) {
      // An attribute of an index is written only if all of its fields are given, and removed only if it is named.
      const whole = toLibrary(changed);
      const inputs = Object.values(derived).flat();
      const given = Object.fromEntries(inputs.filter((field) => field in whole).map((field) => [field, whole[field]]));
      const incomplete = Object.keys(derived).filter((name) => !derived[name].every((field) => field in whole));
      const values = Object.fromEntries(Object.keys(patch).map((field) => [field, patch[field] === null ? null : whole[field]]));
      const { address, ...others } = values;
      // OneTable cannot set a nested value to null.
      for (const field of ['address', 'codes']) if (values[field] === null && delete others[field]) incomplete.push(field);
      await model.update({ ...keyOf(object), ...given, ...others }, { partial: false, ...(incomplete.length > 0 && { remove: incomplete }) });
      if (!address) return;
      // A map that is there keeps what nobody means to change. In a partial update, a list would, too.
      const partial = Boolean(object.address);
      if (partial) for (const part of ['street', 'box', 'since']) if (part in object.address && !(part in address)) address[part] = null;
      await model.update({ ...keyOf(object), address }, { partial });
    },
    lists: Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, async (args) => (await list(args)).map(read)])),
  };
}

/** Times as the API has them, and sets in order. */
function fromLibrary(value) {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Set) return [...value].sort();
  if (Array.isArray(value)) return value.map(fromLibrary);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fromLibrary(part)]));
}

const iso = (time) => time && new Date(time).toISOString();

const tags = ['a', 'B', 'ä', '1'];
const time = (random) => new Date(Date.UTC(2020, random.int(0, 11), random.int(1, 28), 1, 2, 3, random.int(0, 999))).toISOString();

const userFields = {
  name: (random) => random.one(['Ann', 'Østen', 'Bo b']),
  // Any user may have any other's former address.
  email: (random) => `${random.int(0, 10 ** 9)}@Example.com`,
  role: (random) => random.one(['op', 'Admin']),
  zip: (random) => random.one(['123', 'SW1 A']),
  count: (random) => random.int(-5, 5),
  active: (random) => random.chance(0.5),
  joined: time,
  tags: (random) => random.some(tags).sort(),
  address: (random) => ({
    street: random.words(), // OneTable stores no empty map
    ...(random.chance(0.6) && { box: random.int(0, 9) }),
    ...(random.chance(0.6) && { since: time(random) }),
  }),
  codes: (random) => Array.from({ length: random.int(1, 3) }, () => ({ kind: random.one(['x', 'Y']), ...(random.chance(0.5) && { value: random.int(0, 9) }) })),
  nick: (random) => random.words(),
};

const change = (fields, required) => (random) =>
  Object.fromEntries(
    random
      .some(Object.keys(fields))
      .slice(0, 3)
      .map((field) => [field, !required.includes(field) && random.chance(0.3) ? null : fields[field](random)]),
  );

const some = (random, fields, required) =>
  Object.fromEntries(Object.entries(fields).map(([field, make]) => [field, required.includes(field) ? make(random) : random.maybe(() => make(random))]));

roundTrips('OneTable with isoDates', {
  folder: 'onetable',
  table: { pk: 'PK', sk: 'SK', indexes: { gs1: ['GSI1PK', 'GSI1SK'] } },
  create: (client, name) => tableOf(users)(client, name).createTable(),
  clockAttributes: ['created', 'updated'],
  claims: { prefix: '_unique#', own: ['accountId', 'userId'] },
  unique: { type: 'User', field: 'email', value: (side) => `${side}@Example.com` },
  foreignIn: { maps: ['address'], lists: ['codes'] },
  open(client, name) {
    const table = tableOf(users)(client, name);
    const [Account, User] = [table.getModel('Account'), table.getModel('User')];
    return {
      Account: store(Account, {
        keyOf: ({ region, code }) => ({ region, code }),
        rawKey: ({ region, code }) => ({ PK: `account#${region}${code}`, SK: 'account#' }),
        times: [],
        derived: {},
        lists: {},
      }),
      User: store(User, {
        keyOf: ({ account, user }) => ({ account, user }),
        rawKey: ({ account, user }) => ({ PK: `account#${account}`, SK: `user#${user}` }),
        times: ['joined'],
        derived: { GSI1PK: ['role'], GSI1SK: ['zip', 'name'] },
        lists: {
          users: ({ account }) => User.find({ account }),
          usersOf: ({ role }) => User.find({ role }, { index: 'gs1' }),
        },
      }),
    };
  },
  types: {
    Account: {
      key: ['region', 'code'],
      selection: 'region code name created updated',
      clock: ['created', 'updated'],
      make: (random) => ({ region: random.one(['eu', 'US']), code: `${random.int(1, 9)}A`, name: `Name ${random.int(0, 10 ** 9)}` }),
      change: (random) => ({ name: `Name ${random.int(0, 10 ** 9)}` }),
    },
    User: {
      key: ['account', 'user'],
      selection: 'account user name email role zip count active joined tags address { street box since } codes { kind value } nick created updated',
      clock: ['created', 'updated'],
      make: (random) => ({ account: random.one(['eu1A', 'Z']), user: `u${random.int(1, 20)}`, ...some(random, userFields, ['name']) }),
      change: change(userFields, ['name']),
      fromNode: ({ joined, tags, address, ...object }) => ({
        ...object,
        ...(joined && { joined: iso(joined) }),
        ...(tags && { tags: tags.sort() }),
        ...(address && { address: { ...address, ...(address.since && { since: iso(address.since) }) } }),
      }),
      lists: {
        users: ({ account }) => ({ account }),
        usersOf: ({ role, zip }) => (role && zip ? { role } : undefined),
      },
    },
  },
});

const eventFields = {
  kind: (random) => random.one(['Alarm', 'ok']),
  level: (random) => random.int(1, 3),
  count: (random) => random.int(0, 999_999),
  note: (random) => random.one(['n', 'Ö 1']),
  expires: (random) => new Date(Date.UTC(2090, 0, random.int(1, 28))).toISOString(),
};

roundTrips('OneTable with times as numbers', {
  folder: 'onetable-epoch',
  table: { pk: 'pk', sk: 'sk', indexes: { byCode: ['gs1pk', 'gs1sk'] } },
  create: (client, name) => tableOf(events)(client, name).createTable(),
  clockAttributes: ['createdAt', 'updatedAt'],
  open(client, name) {
    const Event = tableOf(events)(client, name).getModel('Event');
    return {
      Event: store(Event, {
        keyOf: ({ device, at }) => ({ device, at: new Date(at) }),
        rawKey: ({ device, at }) => ({ pk: `device#${device}`, sk: `event#${Date.parse(at)}` }),
        times: ['at', 'expires'],
        derived: { gs1pk: ['level', 'kind'], gs1sk: ['count', 'note'] },
        lists: {
          events: ({ device }) => Event.find({ device }),
          eventsByCode: ({ level, kind }) => Event.find({ level, kind }, { index: 'byCode' }),
        },
      }),
    };
  },
  types: {
    Event: {
      key: ['device', 'at'],
      selection: 'device at kind level count note expires createdAt updatedAt',
      clock: ['createdAt', 'updatedAt'],
      make: (random) => ({ device: random.one(['d1', 'D2']), at: time(random), ...some(random, eventFields, ['kind']) }),
      change: change(eventFields, ['kind']),
      fromNode: ({ at, expires, ...object }) => ({ ...object, at: iso(at), ...(expires && { expires: iso(expires) }) }),
      lists: {
        events: ({ device }) => ({ device }),
        eventsByCode: ({ level, kind, count, note }) => (level === undefined || count === undefined || note === undefined ? undefined : { level, kind }),
      },
    },
  },
});
