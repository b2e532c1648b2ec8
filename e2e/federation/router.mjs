// A router over subgraphs: Apollo's composition and Apollo's gateway.
import { createHash } from 'node:crypto';
import { composeServices } from '@apollo/composition';
import { ApolloGateway, LocalGraphQLDataSource, RemoteGraphQLDataSource } from '@apollo/gateway';
import { parse } from 'graphql';
import { ask } from '../shop.mjs';

/** Reads the schema of a subgraph as a router does. */
export async function sdlOf(endpoint) {
  const { _service } = await ask('{ _service { sdl } }', {}, { url: endpoint });
  return _service.sdl;
}

/** Composes subgraphs, each with a name and its SDL. */
export const compose = (subgraphs) =>
  composeServices(subgraphs.map(({ name, sdl, endpoint }) => ({ name, url: endpoint ?? 'http://local.invalid/', typeDefs: parse(sdl) })));

/** What a Partita has answered, beside its data. */
class Partita extends RemoteGraphQLDataSource {
  willSendRequest({ request, context }) {
    if (context?.authorization) request.http.headers.set('authorization', context.authorization);
  }

  didReceiveResponse({ request, response, context }) {
    context?.answers.push({ query: request.query, variables: request.variables, cost: response.extensions?.cost });
    return response;
  }
}

/** Starts a router over a composed graph: those with an endpoint are asked there, others have a schema. */
export async function startRouter(subgraphs) {
  const gateway = new ApolloGateway({
    supergraphSdl: compose(subgraphs).supergraphSdl,
    buildService: ({ name, url }) => {
      const { schema } = subgraphs.find((subgraph) => subgraph.name === name);
      return schema ? new LocalGraphQLDataSource(schema) : new Partita({ url });
    },
    logger: { debug() {}, info() {}, warn: console.warn, error: console.error },
  });
  const { schema, executor } = await gateway.load();

  /** Executes an operation, and also returns what the Partitas were asked. */
  async function execute(query, { authorization, variables } = {}) {
    const context = { authorization, answers: [] };
    const document = parse(query);
    const queryHash = createHash('sha256').update(query).digest('hex');
    const { data, errors = [] } = await executor({
      request: { query, variables }, document, queryHash, context, schema, source: query, metrics: {}, logger: console,
    });
    return { data: data && JSON.parse(JSON.stringify(data)), errors, answers: context.answers };
  }
  return { ask: execute, stop: () => gateway.stop() };
}
