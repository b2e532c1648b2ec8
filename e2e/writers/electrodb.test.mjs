// ElectroDB and the API write to one table.
import { Entity, Service } from 'electrodb';
import { roundTrips } from './roundtrip.mjs';

const table = {
  pk: 'pk',
  sk: 'sk',
  indexes: {
    'gsi1pk-gsi1sk-index': ['gsi1pk', 'gsi1sk'],
    'gsi2pk-gsi2sk-index': ['gsi2pk', 'gsi2sk'],
    'gsi3pk-gsi3sk-index': ['gsi3pk', 'gsi3sk'],
  },
};

function open(client, name) {
  const settings = { client, table: name };
  const employees = new Entity(
    {
      model: { entity: 'employee', version: '1', service: 'taskapp' },
      attributes: {
        employee: { type: 'string', required: true },
        team: { type: 'string', required: true },
        name: { type: 'string', required: true },
        salary: { type: 'number' },
      },
      indexes: {
        employees: { collection: 'assignments', pk: { field: 'pk', composite: ['employee'] }, sk: { field: 'sk', composite: [] } },
        byTeam: {
          index: 'gsi1pk-gsi1sk-index',
          collection: 'staff',
          type: 'clustered',
          pk: { field: 'gsi1pk', composite: ['team'] },
          sk: { field: 'gsi1sk', composite: ['name', 'employee'] },
        },
      },
    },
    settings,
  );
  const tasks = new Entity(
    {
      model: { entity: 'task', version: '1', service: 'taskapp' },
      attributes: {
        employee: { type: 'string', required: true },
        project: { type: 'string', required: true },
        number: { type: 'number', required: true, padding: { length: 5, char: '0' } },
        team: { type: 'string', required: true },
        status: { type: ['Open', 'in progress', 'CLOSED'], default: 'Open' },
        title: { type: 'string' },
        closer: { type: 'string' },
        closedOn: { type: 'string' },
        rank: { type: 'number', padding: { length: 3, char: '0' } },
        done: { type: 'boolean' },
        labels: { type: 'set', items: 'string' },
        sizes: { type: 'set', items: 'number' },
        address: {
          type: 'map',
          properties: { street: { type: 'string' }, zip: { type: 'number' }, floors: { type: 'set', items: 'number' } },
        },
        comments: {
          type: 'list',
          items: { type: 'map', properties: { by: { type: 'string', required: true }, text: { type: 'string', required: true } } },
        },
        createdAt: { type: 'number', readOnly: true, default: () => Date.now() },
        updatedAt: { type: 'number', watch: '*', default: () => Date.now(), set: () => Date.now() },
      },
      indexes: {
        tasks: { collection: 'assignments', pk: { field: 'pk', composite: ['employee'] }, sk: { field: 'sk', composite: ['project', 'number'] } },
        byTeam: {
          index: 'gsi1pk-gsi1sk-index',
          collection: 'staff',
          type: 'clustered',
          pk: { field: 'gsi1pk', composite: ['team'] },
          sk: { field: 'gsi1sk', composite: ['status', 'project', 'employee', 'number'] },
        },
        byTitle: {
          index: 'gsi2pk-gsi2sk-index',
          pk: { field: 'gsi2pk', composite: ['title'], casing: 'upper' },
          sk: { field: 'gsi2sk', composite: [] },
        },
        byCloser: {
          index: 'gsi3pk-gsi3sk-index',
          pk: { field: 'gsi3pk', composite: ['closer'] },
          sk: { field: 'gsi3sk', composite: ['closedOn', 'rank'] },
        },
      },
    },
    settings,
  );
  const service = new Service({ employees, tasks }, settings);
  const all = { pages: 'all' };
  return {
    Employee: {
      ...common(employees, employeeKey, (update, set) => update.set(set)),
      key: ({ employee }) => ({ pk: `$taskapp#employee_${employee.toLowerCase()}`, sk: '$assignments#employee_1' }),
      lists: {
        employees: async (args) => (await employees.query.byTeam(args).go(all)).data.map(fromLibrary),
        assignments: async (args) => (await service.collections.assignments(args).go(all)).data.employees.map(fromLibrary),
      },
    },
    Task: {
      ...common(tasks, taskKey, mergeAddress),
      key: ({ employee, project, number }) => ({
        pk: `$taskapp#employee_${employee.toLowerCase()}`,
        sk: `$assignments#task_1#project_${project.toLowerCase()}#number_${String(number).padStart(5, '0')}`,
      }),
      special: {
        'adds labels': (object, { labels }) => tasks.patch(taskKey(object)).add({ labels }).go(),
        'deletes a label': (object, { labels }) => tasks.patch(taskKey(object)).delete({ labels }).go(),
        'appends a comment': (object, { comments }) => tasks.patch(taskKey(object)).append({ comments }).go(),
      },
      lists: {
        tasks: async (args) => (await tasks.query.tasks(args).go(all)).data.map(fromLibrary),
        tasksOf: async (args) => (await tasks.query.byTeam(args).go(all)).data.map(fromLibrary),
        tasksByTitle: async (args) => (await tasks.query.byTitle(args).go(all)).data.map(fromLibrary),
        tasksByCloser: async (args) => (await tasks.query.byCloser(args).go(all)).data.map(fromLibrary),
        assignments: async (args) => (await service.collections.assignments(args).go(all)).data.tasks.map(fromLibrary),
      },
    },
  };
}

const employeeKey = ({ employee }) => ({ employee });
const taskKey = ({ employee, project, number }) => ({ employee, project, number });

/** What both entities have. */
function common(entity, keyOf, merge) {
  return {
    create: (object) => entity.create(object).go(),
    put: (object) => entity.put([object]).go(),
    remove: (object) => entity.delete(keyOf(object)).go(),
    async get(object) {
      const { data } = await entity.get(keyOf(object)).go();
      return data && fromLibrary(data);
    },
    update(object, patch) {
      const removed = Object.keys(patch).filter((field) => patch[field] === null);
      const set = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null));
      return merge(entity.patch(keyOf(object)).remove(removed), set, object).go();
    },
  };
}

/** A map that is there keeps the values that nobody means to change, so its parts are set by themselves. */
function mergeAddress(update, { address, ...set }, object) {
  if (!address || !object.address) return update.set({ ...set, ...(address && { address }) });
  return update.set(set).data((attributes, operations) => {
    for (const part of ['street', 'zip', 'floors']) {
      if (part in address) operations.set(attributes.address[part], address[part]);
      else operations.remove(attributes.address[part]);
    }
  });
}

const time = (milliseconds) => new Date(milliseconds).toISOString();

const fromLibrary = ({ createdAt, updatedAt, ...object }) =>
  sorted({ ...object, ...(createdAt && { createdAt: time(createdAt), updatedAt: time(updatedAt) }) });

/** An object with its sets in order. */
function sorted({ labels, sizes, address, ...object }) {
  return {
    ...object,
    ...(labels && { labels: [...labels].sort() }),
    ...(sizes && { sizes: [...sizes].sort() }),
    ...(address && { address: { ...address, ...(address.floors && { floors: [...address.floors].sort() }) } }),
  };
}

const persons = ['Ada Lovelace', 'İbrahim', 'JÜRGEN', 'zoë'];
const labels = ['Red', 'red', 'blue', 'ä', '10'];
const teams = ['Core Team', 'ops'];

const closing = (random) => ({ closer: random.one(persons), closedOn: `2026-0${random.int(1, 9)}-15`, rank: random.int(0, 120) });

const fields = {
  team: (random) => random.one(teams),
  status: (random) => random.one(['Open', 'in progress', 'CLOSED']),
  title: (random) => random.one(['Straße', 'ﬁne', 'Ship it', 'ΣΑΣ']),
  done: (random) => random.chance(0.5),
  labels: (random) => random.some(labels),
  sizes: (random) => random.some([1, 2.5, -3, 0]),
  address: (random) => ({ ...(random.chance(0.7) && { street: random.words() }), ...(random.chance(0.5) && { zip: random.int(0, 99999) }), ...(random.chance(0.5) && { floors: random.some([1, 2, 3]) }) }),
  comments: (random) => Array.from({ length: random.int(0, 3) }, () => ({ by: random.one(persons), text: random.one(['', 'fine', 'Why?']) })),
};
const required = ['team', 'status'];

const types = {
  Employee: {
    key: ['employee'],
    selection: 'employee team name salary',
    make: (random) => ({
      employee: `E${random.int(1, 9)} ${random.one(['a', 'Ö'])}`,
      team: fields.team(random),
      name: random.one(persons),
      salary: random.maybe(() => random.int(0, 2 ** 31 - 1)),
    }),
    change: (random) => ({
      team: random.maybe(() => fields.team(random)),
      name: random.one(persons),
      salary: random.one([undefined, null, 0, 5]),
    }),
    lists: {
      employees: ({ team }) => ({ team }),
      assignments: ({ employee }) => ({ employee }),
    },
  },
  Task: {
    key: ['employee', 'project', 'number'],
    selection: 'employee project number team status title closer closedOn rank done labels sizes address { street zip floors } comments { by text } createdAt updatedAt',
    clock: ['createdAt', 'updatedAt'],
    make: (random) =>
      sorted({
        employee: random.one(['E1 a', 'E2 a']),
        project: random.one(['Alpha', 'BETA x']),
        number: random.int(1, 30),
        ...Object.fromEntries(Object.entries(fields).map(([field, make]) => [field, required.includes(field) ? make(random) : random.maybe(() => make(random))])),
        // Without the attributes of its sort key, a new entry has the name of the first.
        ...random.one([{}, closing(random), { closer: random.one(persons) }]),
      }),
    change: (random) =>
      sorted({
        ...Object.fromEntries(
          random
            .some(Object.keys(fields))
            .slice(0, 3)
            .map((field) => [field, !required.includes(field) && random.chance(0.3) ? null : fields[field](random)]),
        ),
        // The attributes of a sort key are set together, or ElectroDB writes another one or an error.
        ...random.one([{}, closing(random), { closer: null, closedOn: null, rank: null }]),
      }),
    fromNode: sorted,
    lists: {
      tasks: ({ employee, project }) => ({ employee, project }),
      tasksOf: ({ team }) => ({ team }),
      tasksByTitle: ({ title }) => title && { title },
      tasksByCloser: ({ closer }) => closer && { closer },
      assignments: ({ employee }) => ({ employee }),
    },
    special: {
      'adds labels': (random, object) => {
        const added = random.some(labels);
        return { labels: added, after: sorted({ ...object, labels: [...new Set([...(object.labels ?? []), ...added])] }) };
      },
      'deletes a label': (random, object) => {
        if (!(object.labels?.length > 1)) return undefined;
        const label = random.one(object.labels);
        return { labels: [label], after: { ...object, labels: object.labels.filter((other) => other !== label) } };
      },
      'appends a comment': (random, object) => {
        if (!object.comments) return undefined;
        const comments = [{ by: random.one(persons), text: 'also' }];
        return { comments, after: { ...object, comments: [...object.comments, ...comments] } };
      },
    },
  },
};

roundTrips('ElectroDB', {
  folder: 'electrodb',
  table,
  types,
  open,
  clockAttributes: ['createdAt', 'updatedAt'],
  foreignIn: { maps: ['address'], lists: ['comments'] },
});
