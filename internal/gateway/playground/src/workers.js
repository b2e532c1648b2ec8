// GraphiQL's editor checks documents in web workers. The build bundles each of them into a file of its own
// and puts the file's hashed name in place of the WORKER_* constants.
const files = { json: WORKER_JSON, graphql: WORKER_GRAPHQL };

globalThis.MonacoEnvironment = {
  getWorker: (_id, label) => new Worker(files[label] ?? WORKER_EDITOR, { name: label }),
};
