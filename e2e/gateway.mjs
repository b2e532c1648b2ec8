/** The origin of the gateway under test, such as http://127.0.0.1:8080. run.mjs sets it. */
export const origin = process.env.PARTITA_URL?.replace(/\/$/, '');
if (!origin) throw new Error('PARTITA_URL is not set: start the tests by `node e2e/run.mjs`');

export const endpoint = `${origin}/graphql`;

/**
 * Reads what the page at / begins with. defaultQuery is the document of its first tab, which names a demo object worth
 * looking at, and headers are those of the first identity, which sign its owner in.
 */
export async function settings() {
  const html = await (await fetch(`${origin}/`)).text();
  const [, text] = html.match(/<script type="application\/json" id="settings">(.*?)<\/script>/s) ?? [];
  if (!text) throw new Error(`the page at ${origin}/ has no settings; is it built?`);
  const page = JSON.parse(text);
  return { ...page, defaultQuery: page.tabs?.[0].query, headers: page.identities?.[0].headers };
}

export const defaultQuery = async () => (await settings()).defaultQuery;
