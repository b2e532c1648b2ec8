/**
 * Follows what the gateway says of the schema that it serves. `on` is called with each state, and with whether its schema
 * is another one than before. Returns the function that ends it.
 */
export function followSchema(url, on) {
  let schema;
  const events = new EventSource(url);
  events.onmessage = ({ data }) => {
    const state = JSON.parse(data);
    on(state, schema !== undefined && schema !== state.schema);
    schema = state.schema;
  };
  return () => events.close();
}
