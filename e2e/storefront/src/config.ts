/**
 * What the server of the page knows: where the gateway is, the demo user whose circle can be visited, and the one who
 * packs and ships.
 */
type Config = { endpoint: string; host: string; staff: string };

export const config = JSON.parse(document.getElementById('config')!.textContent!) as Config;
