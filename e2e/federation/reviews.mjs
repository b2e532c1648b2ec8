// A subgraph of another team, made of nothing but GraphQL.js: reviews, which refer to users and orders of the shop by id.
import { buildASTSchema, parse } from 'graphql';

const sdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])

  type Query { reviews: [Review!]! }

  type Review { stars: Int! author: User order: Order }

  type User @key(fields: "id") { id: ID! reviews: [Review!]! }

  type Order @key(fields: "id") { id: ID! reviews: [Review!]! }
`;

const additions = `
  scalar _Any
  union _Entity = User | Order
  type _Service { sdl: String }
  extend type Query { _service: _Service! _entities(representations: [_Any!]!): [_Entity]! }
`;

/** The subgraph with these reviews: each has stars, and the ids of its author and its order. */
export function reviewsSubgraph(reviews) {
  const schema = buildASTSchema(parse(sdl + additions), { assumeValidSDL: true });
  const resolve = (type, field, resolver) => (schema.getType(type).getFields()[field].resolve = resolver);
  resolve('Query', '_service', () => ({ sdl }));
  resolve('Query', '_entities', (_, { representations }) => representations);
  resolve('Query', 'reviews', () => reviews);
  resolve('Review', 'author', ({ author }) => ({ id: author }));
  resolve('Review', 'order', ({ order }) => ({ id: order }));
  resolve('User', 'reviews', ({ id }) => reviews.filter(({ author }) => author === id));
  resolve('Order', 'reviews', ({ id }) => reviews.filter(({ order }) => order === id));
  return { schema, sdl };
}
