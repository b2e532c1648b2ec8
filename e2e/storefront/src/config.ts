/** What the server of the page knows: where the gateway is, and the demo user whose circle can be visited. */
type Config = { endpoint: string; host: string };

export const config = JSON.parse(document.getElementById('config')!.textContent!) as Config;
