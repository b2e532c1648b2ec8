// Signs a visitor in at the identity provider of the gateway, by the authorization code flow with PKCE. The token is kept
// in this tab of the browser until the visitor signs out.
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { identityKey, pendingKey, problem, tokenKey } from './session.js';
import { settings } from './settings.js';

const { signIn: provider } = settings;
const server = provider && {
  issuer: provider.issuer,
  authorization_endpoint: provider.authorizationEndpoint,
  token_endpoint: provider.tokenEndpoint,
};
const client = provider && { client_id: provider.clientId };
const redirect = new URL(settings.playground ?? '/', location.href).href;

/** Leads to the provider, which leads back to the playground. */
export async function signIn() {
  const pending = { verifier: generateRandomCodeVerifier(), state: generateRandomState(), nonce: generateRandomNonce(), back: location.href };
  sessionStorage.setItem(pendingKey, JSON.stringify(pending));
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirect,
    scope: 'openid profile email',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    audience: provider.audience,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

export function signOut() {
  sessionStorage.removeItem(tokenKey);
  location.reload();
}

/** Goes back to the page where the visitor has signed in, or says why that has failed. */
export async function finish() {
  const pending = JSON.parse(sessionStorage.getItem(pendingKey));
  sessionStorage.removeItem(pendingKey);
  try {
    sessionStorage.setItem(tokenKey, await tokenOf(pending));
    sessionStorage.removeItem(identityKey);
    location.replace(pending.back);
  } catch (error) {
    problem.set(`You could not be signed in: ${error.error_description ?? error.message}`);
    history.replaceState(null, '', location.pathname);
  }
}

async function tokenOf({ verifier, state, nonce }) {
  const parameters = validateAuthResponse(server, client, new URL(location.href), state);
  // Only an issuer on this machine may have an address without TLS.
  const options = { [allowInsecureRequests]: new URL(server.token_endpoint).protocol === 'http:' };
  const response = await authorizationCodeGrantRequest(server, client, None(), parameters, redirect, verifier, options);
  const { access_token, id_token } = await processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce });
  // The gateway reads JSON Web Tokens. Where an access token is none, the provider does not know the gateway as an API.
  return access_token.split('.').length === 3 ? access_token : id_token;
}
