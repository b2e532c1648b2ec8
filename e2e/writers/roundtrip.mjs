// Round trips: a library and the API write to one table in turns, and after each step everything is compared with a model,
// with the other side, and with the table's twin, to which the library alone writes the same.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ready, root, start } from '../process.mjs';
import { Api } from './api.mjs';
import { createTable, startEngine } from './engine.mjs';
import { Random } from './random.mjs';
import { Tables } from './tables.mjs';

const seed = Number(process.env.SOAK_SEED ?? 1);
const runs = Number(process.env.SOAK ?? 1); // sequences, each with its seed
const steps = process.env.SOAK ? 40 : 10; // of each sequence
const checkEach = 8; // steps: `table check` is a process
const most = 8; // objects of a type

const unlimited = Object.fromEntries(
  ['ANONYMOUS_MUTATIONS_PER_MINUTE', 'READ_UNITS_BUCKET', 'MAX_READ_UNITS', 'MAX_WRITE_UNITS', 'MAX_OBJECTS', 'MAX_ANONYMOUS_OBJECTS'].map(
    (name) => [name, '0'],
  ),
);

/**
 * Declares the tests of a library.
 *
 * - `folder` has the schema, below this folder.
 * - `table` is what createTable needs; or `create(client, name)` makes the table by the library.
 * - `open(client, name)` gives, for each type, what the library does with its objects: `create`, `put`, `update`,
 *   `remove`, `get`, the `lists`, and perhaps `special` changes. Objects have the names and the values of the API.
 * - `types` are the types by name. `make(random)` gives a new object, and `change(random, object)` the fields to change,
 *   of which null removes one. `key` are the fields of its id, `selection` what is read, `clock` the fields that the
 *   time decides, and `lists` the arguments of the connections of Query that an object is in.
 * - `unique` is a field whose values are unique.
 */
export function roundTrips(name, writer) {
  for (let run = 0; run < runs; run++) {
    const title = `${name}: ${steps} random steps, SOAK_SEED=${seed + run}`;
    test(title, { timeout: 120_000 + 1000 * steps }, (context) => sequence({ ...writer, seed: seed + run }, context));
  }
}

async function sequence(writer, context) {
  const engine = await startEngine();
  context.after(() => engine.stop());
  const names = ['main-table', 'twin-table'];
  for (const name of names) await (writer.create ?? ((client, name) => createTable(client, { ...writer.table, name })))(engine.client, name);
  const settings = { ...unlimited, ...engine.settings, TABLE_NAME: names[0] };
  const folder = join(root, 'e2e/writers', writer.folder);
  const gateway = await start(['serve', folder], settings);
  context.after(async () => {
    gateway.process.kill();
    await gateway.exited;
  });
  await ready(gateway);
  const [library, twin] = await Promise.all(names.map((name) => writer.open(engine.client, name)));
  const trip = new RoundTrip({ ...writer, library, twin, api: new Api(gateway.url, writer.types), tables: new Tables(engine.client, names, writer) });
  const check = () => checkTable(folder, settings);
  let step = 0;
  try {
    await trip.begin();
    await trip.compare();
    for (step = 1; step <= steps; step++) {
      await trip.step();
      await trip.compare();
      if (step % checkEach === 0) await check();
    }
    await check();
    if (writer.unique) await trip.unique(writer.unique);
  } catch (error) {
    const done = trip.history.slice(-12).join('\n  ');
    const warnings = gateway.log().split('\n').filter((line) => !line.includes('level=INFO'));
    throw new Error(`step ${step} with SOAK_SEED=${writer.seed}, the last of\n  ${done}\n${warnings.slice(-10).join('\n')}`, { cause: error });
  }
}

/** Runs `partita table check`, which must find nothing. */
async function checkTable(folder, settings) {
  try {
    await promisify(execFile)(join(root, 'bin/partita'), ['table', 'check', folder], { env: { ...process.env, ...settings } });
  } catch (error) {
    assert.fail(`table check ended with ${error.code}:\n${error.stdout}${error.stderr}`);
  }
}

class RoundTrip {
  history = [];

  constructor({ seed, types, library, twin, api, tables }) {
    Object.assign(this, { types, library, twin, api, tables, random: new Random(seed) });
    this.model = Object.fromEntries(Object.keys(types).map((type) => [type, new Map()]));
  }

  /** The library writes the first objects. */
  async begin() {
    for (const type of Object.keys(this.types)) for (let n = 0; n < 3; n++) await this.#create(type, 'library');
  }

  /** One random change by the library, the API, or a script that knows neither. */
  async step() {
    const type = this.random.one(Object.keys(this.types));
    const side = this.random.one(['library', 'api']);
    const object = this.#any(type);
    const names = ['create', 'update', 'update', 'remove'];
    if (side === 'library' && this.library[type].put) names.push('put');
    if (side === 'library' && this.library[type].special) names.push('special');
    if (object) names.push('script');
    const name = object ? this.random.one(names) : 'create';
    switch (name) {
      case 'create':
        return this.model[type].size < most ? this.#create(type, side) : this.#remove(type, side, object);
      case 'update':
        return this.#update(type, side, object);
      case 'remove':
        return this.#remove(type, side, object);
      case 'put':
        return this.#put(type, object);
      case 'special':
        return this.#special(type, object);
      case 'script':
        this.#log(type, 'script', 'adds attributes', object);
        return this.tables.addForeign(this.random, await this.library[type].key(object));
    }
  }

  /** Each side finds a unique value taken that the other side has. */
  async unique({ type, field, value }) {
    const [first, second] = ['library', 'api'].map((side) => ({ ...this.types[type].make(this.random), [this.types[type].key.at(-1)]: side, [field]: value(side) }));
    await this.library[type].create(withoutUndefined(first));
    await this.api[type].create(withoutUndefined(second));
    const [other, another] = [first, second].map((object) => withoutUndefined({ ...object, [this.types[type].key.at(-1)]: 'other' }));
    assert.equal((await this.api[type].errorsOfCreate(other))[0]?.code, 'TAKEN', 'the library has the value');
    await assert.rejects(this.library[type].create(another), 'the API has the value');
  }

  /** Compares all objects and all lists of both sides with the model, and the table with its twin. */
  async compare() {
    await this.tables.compare();
    for (const type of Object.keys(this.types)) await this.#compareType(type);
  }

  async #compareType(type) {
    const { clock = [] } = this.types[type];
    const objects = [...this.model[type].values()];
    const [read, seen] = await Promise.all([
      Promise.all(objects.map((object) => this.library[type].get(object))),
      this.api.objects(type, objects),
    ]);
    for (const [i, object] of objects.entries()) {
      assert.deepEqual(without(read[i], clock), object, `the library reads another ${type} than was written`);
      assert.deepEqual(seen[i], read[i], `the API reads another ${type} than the library`);
    }
    await this.#compareLists(type);
  }

  async #compareLists(type) {
    const { lists = {} } = this.types[type];
    const wanted = new Map(); // by what is asked
    for (const object of [...this.model[type].values(), ...(this.gone?.type === type ? [this.gone.object] : [])]) {
      for (const [field, argumentsOf] of Object.entries(lists)) {
        const args = argumentsOf(object);
        if (args) wanted.set(JSON.stringify([field, args]), { field, args });
      }
    }
    const asked = [...wanted.values()];
    const [read, seen] = await Promise.all([
      Promise.all(asked.map(({ field, args }) => this.library[type].lists[field](args))),
      this.api.lists(type, asked),
    ]);
    for (const [i, { field, args }] of asked.entries()) {
      const name = `${field}(${JSON.stringify(args)})`;
      const expected = [...this.model[type].values()].filter((object) => JSON.stringify(lists[field](object)) === JSON.stringify(args));
      assert.equal(read[i].length, expected.length, `the library's ${name} has another number of objects than were written`);
      assert.deepEqual(seen[i], read[i], `the API and the library differ about ${name}`);
    }
  }

  #any(type) {
    const objects = [...this.model[type].values()];
    return objects.length > 0 ? this.random.one(objects) : undefined;
  }

  #keyOf = (type, object) => JSON.stringify(this.types[type].key.map((field) => object[field]));

  #set(type, object) {
    this.model[type].set(this.#keyOf(type, object), withoutUndefined(object));
  }

  #log(type, side, what, object) {
    this.history.push(`${side} ${what} ${type} ${JSON.stringify(object)}`);
  }

  async #create(type, side) {
    const object = withoutUndefined(this.types[type].make(this.random));
    if (this.model[type].has(this.#keyOf(type, object))) return this.#update(type, side, this.model[type].get(this.#keyOf(type, object)));
    this.#log(type, side, 'creates', object);
    await (side === 'api' ? this.api : this.library)[type].create(object);
    await this.twin[type].create(object);
    this.#set(type, object);
  }

  async #update(type, side, object) {
    const patch = withoutUndefined(this.types[type].change(this.random, object));
    const changed = apply(object, patch);
    this.#log(type, side, `updates ${JSON.stringify(patch)}`, object);
    this.gone = { type, object };
    // The API edits the elements of a list, where a library replaces the list: see write/edit.go.
    if (side === 'api') await this.tables.removeForeign(await this.library[type].key(object), Object.keys(patch));
    await (side === 'api' ? this.api : this.library)[type].update(object, patch, changed);
    await this.twin[type].update(object, patch, changed);
    this.#set(type, changed);
  }

  async #put(type, object) {
    const fresh = this.types[type].make(this.random);
    for (const field of this.types[type].key) fresh[field] = object[field];
    this.#log(type, 'library', `puts ${JSON.stringify(fresh)} over`, object);
    this.gone = { type, object };
    for (const side of [this.library, this.twin]) await side[type].put(withoutUndefined(fresh), object);
    this.#set(type, fresh);
  }

  /** A change that only the library has, such as an addition to a set. */
  async #special(type, object) {
    const [name, run] = this.random.one(Object.entries(this.types[type].special));
    const change = run(this.random, object);
    if (!change) return;
    this.#log(type, 'library', `${name} ${JSON.stringify(change)}`, object);
    this.gone = { type, object };
    for (const side of [this.library, this.twin]) await side[type].special[name](object, change);
    this.#set(type, change.after);
  }

  async #remove(type, side, object) {
    this.#log(type, side, 'removes', object);
    this.gone = { type, object };
    await (side === 'api' ? this.api : this.library)[type].remove(object);
    await this.twin[type].remove(object);
    this.model[type].delete(this.#keyOf(type, object));
  }
}

/** The object after a change, of which null removes a field. */
const apply = (object, patch) => Object.fromEntries(Object.entries({ ...object, ...patch }).filter(([, value]) => value !== null && value !== undefined));

const withoutUndefined = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

const without = (object, fields) => object && Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
