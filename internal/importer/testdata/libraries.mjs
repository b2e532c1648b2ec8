// Writes the data of the designs that libraries write, as the libraries of e2e/package.json make it:
//
//   node internal/importer/testdata/libraries.mjs internal/importer/testdata/designs
//
// The entities are those of the libraries' own documentation, reduced to what is in their keys and a few fields.
import { deepStrictEqual } from 'node:assert'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'

const require = createRequire(new URL(process.env.LIBRARIES ?? '../../../e2e/package.json', import.meta.url))
const { marshall } = require('@aws-sdk/util-dynamodb')
const { Entity } = require('electrodb')
const { Table: OneTable } = require('dynamodb-onetable')
const { Dynamo } = require('dynamodb-onetable/Dynamo')
const toolbox = require('dynamodb-toolbox')

const out = process.argv[2]
const at = (n) => `2024-0${(n % 9) + 1}-1${n % 7}T0${n % 10}:30:00.000Z`

function write(name, items, indexes) {
  mkdirSync(join(out, name), { recursive: true })
  const lines = items.map((item) => {
    const stored = marshall(item, { removeUndefinedValues: true })
    return JSON.stringify({ Item: Object.fromEntries(Object.entries(stored).sort(([a], [b]) => (a < b ? -1 : 1))) })
  })
  writeFileSync(join(out, name, 'data.jsonl'), lines.join('\n') + '\n')
  const keys = (pk, sk) => [{ AttributeName: pk, KeyType: 'HASH' }, { AttributeName: sk, KeyType: 'RANGE' }]
  const table = {
    TableName: name, KeySchema: keys(indexes.table[0], indexes.table[1]),
    GlobalSecondaryIndexes: Object.entries(indexes).filter(([n]) => n !== 'table')
      .map(([n, [pk, sk]]) => ({ IndexName: n, KeySchema: keys(pk, sk), Projection: { ProjectionType: 'ALL' } })),
    AttributeDefinitions: Object.values(indexes).flat().map((n) => ({ AttributeName: n, AttributeType: 'S' })),
  }
  writeFileSync(join(out, name, 'table.json'), JSON.stringify({ Table: table }, null, 1) + '\n')
}

const gsis = (n) => Object.fromEntries(['table', 'gsi1pk-gsi1sk-index', 'gsi2pk-gsi2sk-index', 'gsi3pk-gsi3sk-index']
  .slice(0, n + 1).map((name, i) => [name, i === 0 ? ['pk', 'sk'] : [`gsi${i}pk`, `gsi${i}sk`]]))
const string = { type: 'string' }
const index = (n, pk, sk, more = {}) => ({
  ...(n > 0 && { index: `gsi${n}pk-gsi${n}sk-index` }),
  pk: { field: n > 0 ? `gsi${n}pk` : 'pk', composite: pk }, sk: { field: n > 0 ? `gsi${n}sk` : 'sk', composite: sk }, ...more,
})
const put = (entity, item) => Object.fromEntries(Object.entries(entity.put(item).params().Item)
  .map(([name, value]) => [name, Array.isArray(value?.values) ? new Set(value.values) : value]))

// ElectroDB: employees, tasks and offices, with the collections of its introduction.
{
  const model = (entity) => ({ entity, version: '1', service: 'taskapp' })
  const employee = new Entity({
    model: model('employee'),
    attributes: {
      employee: string, firstName: string, lastName: string, office: string, title: string, team: string,
      salary: { type: 'number' }, manager: string, dateHired: string, skills: { type: 'set', items: 'string' },
    },
    indexes: {
      employee: index(0, ['employee'], [], { collection: 'assignments' }),
      coworkers: index(1, ['office'], ['team', 'title', 'employee'], { collection: 'workplaces' }),
      teams: index(2, ['team'], ['title', 'salary', 'employee']),
      roles: index(3, ['title'], ['salary', 'employee']),
    },
  }, { table: 'designs' })
  const task = new Entity({
    model: model('task'),
    attributes: {
      task: string, project: string, employee: string, description: string, status: string, points: { type: 'number' },
    },
    indexes: {
      task: index(0, ['employee'], ['task'], { collection: 'assignments' }),
      project: index(1, ['project'], ['employee', 'task']),
      statuses: index(3, ['status'], ['project', 'employee']),
    },
  }, { table: 'designs' })
  const office = new Entity({
    model: model('office'),
    attributes: { office: string, country: string, state: string, city: string, zip: string, address: string },
    indexes: {
      locations: index(0, ['country', 'state'], ['city', 'zip', 'office']),
      office: index(1, ['office'], [], { collection: 'workplaces' }),
    },
  }, { table: 'designs' })
  const offices = ['Gothenburg Central', 'Lund', 'Uppsala North']
  const items = offices.map((name, n) => put(office, {
    office: name, country: 'Sweden', state: ['VG', 'Skåne', 'Uppsala'][n], city: name.split(' ')[0], zip: `4110${n}`,
    address: `Street ${n}`,
  }))
  for (let n = 0; n < 12; n++) {
    items.push(put(employee, {
      employee: `Emp-${n}`, firstName: `First${n}`, lastName: `Last${n}`, office: offices[n % 3],
      title: ['Engineer', 'Senior Engineer', 'Manager'][n % 3], team: ['Red', 'Blue'][n % 2], salary: 50000 + 1000 * n,
      manager: `Emp-${n % 4}`, dateHired: `2020-01-${10 + n}`, ...(n % 2 && { skills: ['go', 'ts'] }),
    }))
    for (let k = 0; k <= n % 3; k++) {
      items.push(put(task, {
        task: `Task-${n}-${k}`, project: ['Alpha', 'Beta'][k % 2], employee: `Emp-${n}`, description: `do ${k}`, points: k,
        ...(n % 4 && { status: ['Open', 'Done'][k % 2] }),
      }))
    }
  }
  write('electrodb-tasks', items, gsis(3))
}

// ElectroDB: repositories, issues and users of a version control service.
{
  const model = (entity) => ({ entity, version: '1', service: 'versioncontrol' })
  const users = new Entity({
    model: model('user'), attributes: { username: string, fullName: string, createdAt: string },
    indexes: { user: index(0, ['username'], []), owned: index(1, ['username'], [], { collection: 'owned' }) },
  }, { table: 'designs' })
  const repositories = new Entity({
    model: model('repository'),
    attributes: {
      username: string, repoName: string, isPrivate: { type: 'boolean' }, about: string, createdAt: string,
      stars: { type: 'number', padding: { length: 6, char: '0' } },
    },
    indexes: {
      repositories: index(0, ['username'], ['repoName']),
      owned: index(1, ['username'], ['repoName'], { collection: 'owned' }),
      popular: index(2, ['isPrivate'], ['stars', 'repoName']),
    },
  }, { table: 'designs' })
  const issues = new Entity({
    model: model('issue'),
    attributes: { issueNumber: string, repoName: string, username: string, subject: string, status: string, createdAt: string },
    indexes: {
      issue: index(0, ['repoName', 'username'], ['issueNumber']),
      created: index(1, ['username'], ['status', 'createdAt'], { collection: 'owned' }),
    },
  }, { table: 'designs' })
  const items = []
  for (let n = 0; n < 6; n++) {
    items.push(put(users, { username: `User${n}`, fullName: `Full ${n}`, createdAt: at(n) }))
    for (let k = 0; k <= n % 3; k++) {
      items.push(put(repositories, {
        username: `User${n}`, repoName: `Repo-${n}${k}`, isPrivate: k === 1, about: `about ${n}`, createdAt: at(n + k),
        stars: 17 * n + k,
      }))
      for (let i = 0; i < 3; i++) {
        items.push(put(issues, {
          issueNumber: String(100 * n + 10 * k + i), repoName: `Repo-${n}${k}`, username: `User${n}`, subject: `S ${i}`,
          ...(i < 2 && { status: ['Open', 'Closed'][i], createdAt: at(n + i) }),
        }))
      }
    }
  }
  write('electrodb-versioncontrol', items, gsis(2))
}

// OneTable: accounts with users and invoices, users by e-mail.
{
  const stored = []
  const { unmarshall } = require('@aws-sdk/util-dynamodb')
  const send = async ({ input }) => {
    for (const put of input.TransactItems?.map((one) => one.Put) ?? [input]) stored.push(unmarshall(put.Item))
    return {}
  }
  const client = new Dynamo({ client: { config: {}, send }, marshall: { removeUndefinedValues: true } })
  const table = new OneTable({
    name: 'designs', client, partial: false,
    schema: {
      format: 'onetable:1.1.0', version: '0.0.1',
      indexes: { primary: { hash: 'pk', sort: 'sk' }, gs1: { hash: 'gs1pk', sort: 'gs1sk', project: 'all' } },
      params: { isoDates: true, timestamps: true },
      models: {
        Account: {
          pk: { type: String, value: 'account#${id}' }, sk: { type: String, value: 'account#' },
          gs1pk: { type: String, value: 'account#' }, gs1sk: { type: String, value: 'account#${name}${id}' },
          id: { type: String, required: true }, name: { type: String, required: true }, plan: { type: String },
        },
        User: {
          pk: { type: String, value: 'account#${accountId}' }, sk: { type: String, value: 'user#${id}' },
          gs1pk: { type: String, value: 'user#' }, gs1sk: { type: String, value: 'user#${email}' },
          id: { type: String, required: true }, accountId: { type: String, required: true },
          email: { type: String, required: true, unique: true }, role: { type: String }, tags: { type: Set },
          badge: { type: String, unique: true, scope: '${accountId}' },
        },
        Invoice: {
          pk: { type: String, value: 'account#${accountId}' }, sk: { type: String, value: 'invoice#${number:6:0}' },
          gs1pk: { type: String, value: 'invoice#' }, gs1sk: { type: String, value: 'invoice#${due}#${accountId}' },
          number: { type: Number, required: true }, accountId: { type: String, required: true }, due: { type: Date },
          amount: { type: Number },
        },
      },
    },
  })
  const create = (name, item) => table.getModel(name).create(item)
  for (let n = 0; n < 5; n++) {
    await create('Account', { id: `01HX${n}A`, name: ['Acme', 'Big', 'Cosy', 'Dun', 'Erg'][n], plan: n % 2 ? 'pro' : undefined })
    for (let k = 0; k < 3; k++) {
      await create('User', { id: `01HY${n}${k}`, accountId: `01HX${n}A`, email: `P${k}@Co${n}.example`, role: 'op',
        badge: `B${k}`,
        ...(k === 1 && { tags: new Set(['a', 'b']) }) })
      await create('Invoice', { number: 10 * n + k, accountId: `01HX${n}A`, amount: 12.5 * k, due: k < 2 ? new Date(at(n + k)) : undefined })
    }
  }
  const fixed = stored.map((i) => ({ ...i, ...(i.created && { created: at(3), updated: at(4) }) }))
  write('onetable-accounts', fixed, { table: ['pk', 'sk'], gs1: ['gs1pk', 'gs1sk'] })
}

// dynamodb-toolbox 2 and 1, which write the same: trainers and their Pokémon.
function trainers(library, schema) {
  const { Table, Entity: Item, string: text, number, list, set, PutItemCommand } = library
  const table = new Table({
    name: 'designs', partitionKey: { name: 'pk', type: 'string' }, sortKey: { name: 'sk', type: 'string' },
    indexes: { byLevel: { type: 'global', partitionKey: { name: 'gsi1pk', type: 'string' }, sortKey: { name: 'gsi1sk', type: 'string' } } },
  })
  const trainer = new Item({
    name: 'Trainer', table,
    schema: schema({ trainerId: text().key(), name: text(), badges: set(text()).optional(), address: library.map({ city: text(), zip: text().optional() }).optional() }),
    computeKey: ({ trainerId }) => ({ pk: `TRAINER#${trainerId}`, sk: 'TRAINER' }),
  })
  const pokemon = new Item({
    name: 'Pokemon', table,
    schema: schema({
      trainerId: text().key(), pokemonId: text().key(), species: text(), level: number(), moves: list(text()),
    }).and((base) => ({
      gsi1pk: text().link(({ species }) => `SPECIES#${species}`),
      gsi1sk: text().link(({ level, pokemonId }) => `${String(level).padStart(3, '0')}#${pokemonId}`),
    })),
    computeKey: ({ trainerId, pokemonId }) => ({ pk: `TRAINER#${trainerId}`, sk: `POKEMON#${pokemonId}` }),
  })
  const items = []
  for (let n = 0; n < 5; n++) {
    items.push(trainer.build(PutItemCommand).item({
      trainerId: `t${n}`, name: `Trainer ${n}`, ...(n % 2 && { badges: new Set(['rock']) }), address: { city: `City ${n}` },
    }).params().Item)
    for (let k = 0; k <= n; k++) {
      items.push(pokemon.build(PutItemCommand).item({
        trainerId: `t${n}`, pokemonId: `p${n}${k}`, species: ['pikachu', 'eevee'][k % 2], level: 3 * n + k + 1, moves: ['tackle'],
      }).params().Item)
    }
  }
  return items.map((i) => ({ ...i, _ct: at(2), _md: at(5) }))
}
{
  const version1 = require('dynamodb-toolbox-1')
  const items = trainers(toolbox, toolbox.item)
  deepStrictEqual(items, trainers(version1, version1.schema))
  write('toolbox-trainers', items, { table: ['pk', 'sk'], byLevel: ['gsi1pk', 'gsi1sk'] })
}

// dynamodb-toolbox 0.9: customers with a composite sort key and a prefix, and their orders.
{
  const { Entity: Item, Table } = require('dynamodb-toolbox-0')
  const table = new Table({ name: 'designs', partitionKey: 'pk', sortKey: 'sk', indexes: { gsi1: { partitionKey: 'gsi1pk', sortKey: 'gsi1sk' } } })
  const customer = new Item({
    name: 'Customer', table,
    attributes: {
      customer: { partitionKey: true, prefix: 'CUSTOMER#' }, sk: { sortKey: true, hidden: true, default: 'PROFILE' },
      name: {}, company: {}, tags: { type: 'set', setType: 'string' }, age: { type: 'number' },
    },
  })
  const order = new Item({
    name: 'Order', table,
    attributes: {
      customer: { partitionKey: true, prefix: 'CUSTOMER#' }, sk: { sortKey: true, hidden: true, prefix: 'ORDER#' },
      region: ['sk', 0], number: ['sk', 1],
      gsi1pk: { hidden: true, prefix: 'STATUS#' }, gsi1sk: { hidden: true }, placed: ['gsi1sk', 0], courier: ['gsi1sk', 1],
      total: { type: 'number' },
    },
  })
  const items = []
  for (let n = 0; n < 6; n++) {
    items.push(customer.putParams({ customer: `c${n}`, name: `Name ${n}`, company: ['Acme', 'Big'][n % 2], age: 30 + n, ...(n % 2 && { tags: ['vip'] }) }).Item)
    for (let k = 0; k <= n % 3; k++) {
      items.push(order.putParams({
        customer: `c${n}`, region: ['north', 'south'][k % 2], number: `${100 + 10 * n + k}`, gsi1pk: ['open', 'sent'][k % 2],
        placed: `2024-0${n + 1}-1${k}`, courier: ['ups', 'dhl'][n % 2], total: 9.5 * (k + 1),
      }).Item)
    }
  }
  const plain = (value) => (value?.wrapperName === 'Set' || value?.type ? new Set(value.values) : value)
  write('toolbox-0-customers', items.map((i) => Object.fromEntries(
    Object.entries({ ...i, _ct: at(2), _md: at(5) }).map(([name, value]) => [name, plain(value)]))), { table: ['pk', 'sk'], gsi1: ['gsi1pk', 'gsi1sk'] })
}

// TypeDORM: organisations with users, whose e-mail addresses are unique.
await (async () => {
  require('reflect-metadata')
  const { Attribute, Entity: Stored, INDEX_TYPE, Table } = require('@typedorm/common')
  const { createConnection } = require('@typedorm/core')
  const { DocumentClientV3 } = require('@typedorm/document-client')
  const { DynamoDBClient } = require('@aws-sdk/client-dynamodb')
  const { unmarshall } = require('@aws-sdk/util-dynamodb')
  class Organisation {}
  class User {}
  const declare = (of, attributes, entity) => {
    for (const [name, [type, options]] of Object.entries(attributes)) {
      Reflect.defineMetadata('design:type', type, of.prototype, name)
      Attribute(options)(of.prototype, name)
    }
    Stored(entity)(of)
  }
  declare(Organisation, { id: [String], name: [String, { unique: true }], active: [Boolean] },
    { name: 'organisation', primaryKey: { partitionKey: 'ORG#{{id}}', sortKey: 'ORG#{{id}}' } })
  declare(User, { org: [String], id: [String], name: [String], email: [String, { unique: true }], status: [String], tags: [Array] }, {
    name: 'user', primaryKey: { partitionKey: 'ORG#{{org}}', sortKey: 'USER#{{id}}' },
    indexes: { GSI1: { partitionKey: 'STATUS#{{status}}', sortKey: 'NAME#{{name}}', type: INDEX_TYPE.GSI } },
  })
  const stored = []
  const requestHandler = {
    async handle({ body }) {
      const input = JSON.parse(body)
      for (const put of input.TransactItems?.map((one) => one.Put) ?? [input]) stored.push(unmarshall(put.Item))
      return { response: { statusCode: 200, headers: {}, body: Readable.from(['{}']) } }
    },
  }
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' }
  const client = new DocumentClientV3(new DynamoDBClient({ region: 'eu-west-1', credentials, requestHandler }))
  const { entityManager } = createConnection({
    table: new Table({ name: 'designs', partitionKey: 'PK', sortKey: 'SK', indexes: { GSI1: { partitionKey: 'GSI1PK', sortKey: 'GSI1SK', type: INDEX_TYPE.GSI } } }),
    entities: [Organisation, User], documentClient: client,
  })
  for (let n = 0; n < 4; n++) {
    await entityManager.create(Object.assign(new Organisation(), { id: `o${n}`, name: `Org ${n}`, active: n !== 2 }))
    for (let k = 0; k <= n; k++) {
      await entityManager.create(Object.assign(new User(), {
        org: `o${n}`, id: `u${n}${k}`, name: ['Ann', 'Bo', 'Cy', 'Di'][k], email: `P${k}@Org${n}.example`, status: ['on', 'off'][k % 2], tags: ['a', 'b'],
      }))
    }
  }
  write('typedorm-users', stored, { table: ['PK', 'SK'], GSI1: ['GSI1PK', 'GSI1SK'] })
})()
