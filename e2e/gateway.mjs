/** The origin of the gateway under test, such as http://127.0.0.1:8080. run.mjs sets it. */
export const origin = process.env.PARTITA_URL?.replace(/\/$/, '');
if (!origin) throw new Error('PARTITA_URL is not set: start the tests by `npm run test:e2e`');

export const endpoint = `${origin}/graphql`;

/** Reads the query that the page at / has in its editor: it names a demo object that is worth looking at. */
export async function defaultQuery() {
  const html = await (await fetch(`${origin}/`)).text();
  const [, settings] = html.match(/<script type="application\/json" id="settings">(.*?)<\/script>/s) ?? [];
  if (!settings) throw new Error(`the page at ${origin}/ has no settings; is it built?`);
  return JSON.parse(settings).defaultQuery;
}
