// An OpenID provider that signs in whoever has a name, and issues JSON Web Tokens for an API.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import Provider from 'oidc-provider';
import { freePort } from './process.mjs';

export const audience = 'urn:partita';
export const clientId = 'playground';

/** Starts the provider with the playground at an origin as its client. `stop` ends it. */
export async function startProvider(playground) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        application_type: 'native', // so that the origin may be on this machine, without TLS
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${playground}/`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    clientBasedCORS: () => true,
    cookies: { keys: ['a key of the tests'] },
    extraParams: ['audience'],
    features: {
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: 'openid', audience, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }),
      },
    },
    jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: 'tests' }] },
    scopes: ['openid', 'profile', 'email'],
  });
  const server = provider.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { issuer, stop: () => new Promise((done) => server.close(done).closeAllConnections()) };
}
