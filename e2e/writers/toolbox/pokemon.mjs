// The entity of dynamodb-toolbox 1 and 2, whose commands are the same, and how its objects look in the API.
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const pad = (number) => String(number).padStart(4, '0');
const names = ['Pika', 'ÄHRE', 'straße', 'Mr. Mime', 'UPPER', 'lower', '超夢'];
const tags = ['a', 'B', 'ä', 'fast', 'slow and steady', '1'];

/** Opens the entity with the functions of a version of the library; `schemaOf` makes the entity's schema of its attributes. */
export const open = (library, schemaOf) => (client, name) => {
  const { Table, Entity, string, number, boolean, set, map, list, anyOf, record } = library;
  const { PutItemCommand, UpdateItemCommand, DeleteItemCommand, GetItemCommand, QueryCommand, BatchPutRequest, BatchWriteCommand, executeBatchWrite } = library;
  const { $add, $append, $delete, $remove, $set } = library;
  const documentClient = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const text = { type: 'string' };
  const table = new Table({
    name,
    documentClient,
    partitionKey: { name: 'pk', ...text },
    sortKey: { name: 'sk', ...text },
    indexes: { gsi1: { type: 'global', partitionKey: { name: 'gsi1pk', ...text }, sortKey: { name: 'gsi1sk', ...text } } },
  });
  const level = (object) => `LEVEL#${object.level}`;
  const order = ({ team, number, name }) => `${team}#${pad(number)}#${typeof name === 'string' ? name.toLowerCase() : ''}`;
  const entity = new Entity({
    name: 'Pokemon',
    table,
    schema: schemaOf({
      team: string().key().savedAs('t'),
      number: number().key(),
      name: string().optional().savedAs('n'),
      level: number(),
      legendary: boolean().optional(),
      height: number().optional(),
      tags: set(string()).optional(),
      numbers: set(number()).optional().savedAs('nums'),
      nicknames: list(string()).optional(),
      stats: map({
        attack: number().savedAs('a'),
        defence: number().optional().savedAs('d'),
        kinds: set(string()).optional().savedAs('k'),
      }).optional().savedAs('st'),
      moves: list(map({ title: string().savedAs('mt'), power: number().optional().savedAs('mp') })).optional(),
      either: anyOf(string(), number(), list(number())).optional(),
      scores: record(string(), number()).optional(),
    }).and(() => ({
      gsi1pk: string().optional().putLink(level).updateLink(level),
      gsi1sk: string().optional().putLink(order).updateLink(order),
    })),
    computeKey: ({ team, number }) => ({ pk: `TEAM#${team}`, sk: `POKEMON#${pad(number)}` }),
  });
  const keyOf = ({ team, number }) => ({ team, number });
  const query = async (query, options = {}) => (await table.build(QueryCommand).entities(entity).query(query).options(options).send()).Items.map(fromLibrary);
  const update = (object, changes) => entity.build(UpdateItemCommand).item({ ...keyOf(object), level: object.level, name: object.name, ...changes }).send();
  return {
    Pokemon: {
      key: async ({ team, number }) => ({ pk: `TEAM#${team}`, sk: `POKEMON#${pad(number)}` }),
      create: (object) => entity.build(PutItemCommand).item(toLibrary(object)).options({ condition: { attr: 'team', exists: false } }).send(),
      put: (object) => executeBatchWrite(table.build(BatchWriteCommand).requests(entity.build(BatchPutRequest).item(toLibrary(object)))),
      remove: (object) => entity.build(DeleteItemCommand).key(keyOf(object)).send(),
      async get(object) {
        const { Item } = await entity.build(GetItemCommand).key(keyOf(object)).send();
        return Item && fromLibrary(Item);
      },
      update(object, patch, changed) {
        const whole = toLibrary(changed);
        const value = (field) => {
          if (patch[field] === null) return $remove();
          // An update merges values of this type: what is not given stays.
          if (field === 'stats' && object.stats) return { defence: $remove(), kinds: $remove(), ...whole.stats };
          const merged = typeof whole[field] === 'object' && !(whole[field] instanceof Set);
          return merged ? $set(whole[field]) : whole[field];
        };
        const changes = Object.keys(patch).map((field) => [field, value(field)]);
        return update(changed, Object.fromEntries(changes));
      },
      special: {
        'adds tags': (object, { added }) => update(object, { tags: $add(new Set(added)) }),
        'removes tags': (object, { removed }) => update(object, { tags: $delete(new Set(removed)) }),
        'appends moves': (object, { moves }) => update(object, { moves: $append(moves) }),
        'trains the attack': (object, { by }) => update(object, { stats: { attack: $add(by) } }),
      },
      lists: {
        pokemons: ({ team }) => query({ partition: `TEAM#${team}`, range: { beginsWith: 'POKEMON#' } }),
        pokemonsByLevel: ({ level }) => query({ index: 'gsi1', partition: `LEVEL#${level}` }),
      },
    },
  };
};

/** Sets of the library are lists of the API, in any order. */
const toLibrary = ({ tags, numbers, stats, ...rest }) => ({
  ...rest,
  ...(tags && { tags: new Set(tags) }),
  ...(numbers && { numbers: new Set(numbers) }),
  ...(stats && { stats: { ...stats, ...(stats.kinds && { kinds: new Set(stats.kinds) }) } }),
});

function fromLibrary({ gsi1pk, gsi1sk, entity, ...object }) {
  const plain = (value) => {
    if (value instanceof Set) return [...value].sort();
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
  };
  return plain(object);
}

const stats = (random) => ({ attack: random.int(1, 99), ...(random.chance(0.5) && { defence: random.int(-9, 99) }), ...(random.chance(0.5) && { kinds: random.some(tags) .sort() }) });
const moves = (random) => Array.from({ length: random.int(0, 3) }, () => ({ title: random.words(), ...(random.chance(0.5) && { power: random.int(1, 50) }) }));

const fields = {
  name: (random) => random.one(names),
  level: (random) => random.int(1, 3),
  legendary: (random) => random.chance(0.5),
  height: (random) => random.one([0.5, 0, -3, 123456.789, 1e-7]),
  tags: (random) => random.some(tags).sort(),
  numbers: (random) => random.some([-1, 0, 7, 12, 100]).sort(),
  nicknames: (random) => random.some(['', 'x', 'x', 'Zed']),
  stats,
  moves,
  either: (random) => random.one(['text', 7, [1, 2.5], '']),
  scores: (random) => Object.fromEntries(random.some(['home', 'Away', 'a.b', 'ä']).map((name) => [name, random.int(0, 9)])),
};

export const types = {
  Pokemon: {
    key: ['team', 'number'],
    selection: 'team number name level legendary height tags numbers nicknames stats { attack defence kinds } moves { title power } either scores created modified',
    clock: ['created', 'modified'],
    make: (random) => ({
      team: random.one(['red', 'Blue Team']),
      number: random.int(1, 30),
      ...Object.fromEntries(Object.entries(fields).map(([field, make]) => [field, field === 'level' ? make(random) : random.maybe(() => make(random))])),
    }),
    change: (random) =>
      Object.fromEntries(random.some(Object.keys(fields)).slice(0, 3).map((field) => [field, field !== 'level' && random.chance(0.3) ? null : fields[field](random)])),
    fromNode: ({ tags, numbers, stats, ...object }) => ({
      ...object,
      ...(tags && { tags: tags.sort() }),
      ...(numbers && { numbers: numbers.sort() }),
      ...(stats && { stats: { ...stats, ...(stats.kinds && { kinds: stats.kinds.sort() }) } }),
    }),
    lists: {
      pokemons: ({ team }) => ({ team }),
      pokemonsByLevel: ({ level }) => ({ level }),
    },
    special: {
      'adds tags': (random, object) => {
        const added = random.some(tags);
        return { added, after: { ...object, tags: [...new Set([...(object.tags ?? []), ...added])].sort() } };
      },
      'removes tags': (random, object) => {
        if (!(object.tags?.length > 1)) return undefined;
        const removed = [random.one(object.tags)];
        return { removed, after: { ...object, tags: object.tags.filter((tag) => !removed.includes(tag)) } };
      },
      'appends moves': (random, object) => {
        if (!object.moves) return undefined;
        const added = moves(random);
        return { moves: added, after: { ...object, moves: [...object.moves, ...added] } };
      },
      'trains the attack': (random, object) => {
        if (!object.stats) return undefined;
        const by = random.int(1, 5);
        return { by, after: { ...object, stats: { ...object.stats, attack: object.stats.attack + by } } };
      },
    },
  },
};

export const table = { pk: 'pk', sk: 'sk', indexes: { gsi1: ['gsi1pk', 'gsi1sk'] } };

export const clockAttributes = ['_ct', '_md'];

/** The maps to which other programs may add attributes, without the library noticing. */
export const foreignIn = { maps: ['st'], lists: ['moves'] };
