/** The origin of the gateway under test, such as http://127.0.0.1:8080. run.mjs sets it. */
export const origin = process.env.PARTITA_URL?.replace(/\/$/, '');
if (!origin) throw new Error('PARTITA_URL is not set: start the tests by `node e2e/run.mjs`');

export const endpoint = `${origin}/graphql`;

/** Reads what the page at / begins with: a query that names a demo object worth looking at, and headers that sign its owner in. */
export async function settings() {
  const html = await (await fetch(`${origin}/`)).text();
  const [, text] = html.match(/<script type="application\/json" id="settings">(.*?)<\/script>/s) ?? [];
  if (!text) throw new Error(`the page at ${origin}/ has no settings; is it built?`);
  return JSON.parse(text);
}

export const defaultQuery = async () => (await settings()).defaultQuery;
