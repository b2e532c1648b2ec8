// The mutations of the schema that concern an item, as documents with what the item has as their variables.
import { buildClientSchema, getIntrospectionQuery, getNamedType, isInputObjectType, isLeafType, isNonNullType, isObjectType } from 'graphql';
import { settings } from '../settings.js';
import { post } from './ask.js';

let known = {}; // the schema, once it has been read, and how often another one was served before

/** The schema that is served, as the one after so many others; undefined if nobody may see it. */
export async function schemaOf(served) {
  if (known.schema && known.served === served) return known.schema;
  const { data } = await post(settings.endpoint, { query: getIntrospectionQuery({ descriptions: false }) });
  known = { served, schema: data && buildClientSchema(data) };
  return known.schema;
}

/** The mutations whose payload has an object of the item's type, or whose input has its id. */
export function mutationsOf(schema, item) {
  const fields = Object.values(schema?.getMutationType()?.getFields() ?? {});
  return fields.filter((field) => inputOf(field) && concerns(field, item)).map((field) => ({ name: field.name, ...request(schema, field, item) }));
}

/** The fields of the one input object of a mutation. */
function inputOf({ args }) {
  const type = args.length === 1 && getNamedType(args[0].type);
  return type && isInputObjectType(type) ? Object.values(type.getFields()) : undefined;
}

const idField = (type) => `${type[0].toLowerCase()}${type.slice(1)}Id`;

function concerns(field, { type, id }) {
  const payload = payloadOf(field);
  const isOf = ({ name, type: of }) => getNamedType(of).name === type || name === `deleted${type}Id`;
  return payload.some(isOf) || Boolean(id && inputOf(field).some(({ name }) => name === idField(type)));
}

function payloadOf({ type }) {
  const payload = getNamedType(type);
  return isObjectType(payload) ? Object.values(payload.getFields()) : [];
}

function request(schema, field, item) {
  const [argument] = field.args;
  const query = `mutation ($${argument.name}: ${argument.type}) {
  ${field.name}(${argument.name}: $${argument.name}) {
${payloadOf(field).map((each) => `    ${selected(each)}`).join('\n')}
  }
}`;
  // The input of a change has the id or the version of the object.
  const isNew = !inputOf(field).some(({ name }) => ['id', 'version', idField(item.type)].includes(name));
  const input = {};
  for (const each of inputOf(field)) {
    const value = valueFor(each, item, isNew);
    if (value !== undefined) input[each.name] = value;
    else if (isNonNullType(each.type)) input[each.name] = null;
  }
  return { query, variables: { [argument.name]: input } };
}

/** A field of a payload with what can be said of its object without arguments: its own values. */
function selected({ name, type }) {
  const named = getNamedType(type);
  if (isLeafType(named)) return name;
  const fields = isObjectType(named) ? Object.values(named.getFields()) : [];
  const own = fields.filter(({ type, args }) => isLeafType(getNamedType(type)) && args.length === 0).map(({ name }) => name);
  return `${name} { ${own.length > 0 ? own.join(' ') : '__typename'} }`;
}

/** The value of an input field, as far as the item has it. A key makes a request one that is carried out once. */
function valueFor({ name, type }, item, isNew) {
  if (name === 'id' || name === idField(item.type)) return item.id;
  if (name === 'idempotencyKey') return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const attribute = item.attributes.find((each) => each.field === `${item.type}.${name}`);
  if (!attribute || attribute.cut || isNew && !isNonNullType(type)) return undefined;
  const { type: stored, value, means = value, link } = attribute;
  if (getNamedType(type).name === 'ID' && link) return globalId(link.label.split(' → ')[1], value);
  if (!isLeafType(getNamedType(type))) return undefined;
  if (stored === 'N' && ['Int', 'Float'].includes(getNamedType(type).name)) return Number(means);
  return stored === 'BOOL' ? value === 'true' : stored === 'S' || stored === 'N' ? means : undefined;
}

/** A Relay global ID: base64url of Type:value. */
function globalId(type, value) {
  const bytes = String.fromCharCode(...new TextEncoder().encode(`${type}:${value}`));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
