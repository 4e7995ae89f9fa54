import { AXONIUS_KEYS, FALCON_CLIENTS, type Simulators } from '../../apps/simulators/src/index.ts';

/** A response, with the fields that specs use. */
export interface SimulatorResponse {
  status: number;
  headers: Headers;
  /** Typed by each spec. */
  body: any;
}

type Credentials = { id: string; secret: string };

/** Asks the simulators as a program would. */
export class SimulatorClient {
  private token = '';

  private constructor(private readonly url: string) {}

  /** Signed in at the EDR platform. */
  static async of(
    { url }: Simulators,
    credentials: Credentials = FALCON_CLIENTS.full,
  ): Promise<SimulatorClient> {
    const client = new SimulatorClient(url);
    await client.signIn(credentials);
    return client;
  }

  async signIn({ id, secret }: Credentials = FALCON_CLIENTS.full): Promise<SimulatorResponse> {
    const body = new URLSearchParams({ client_id: id, client_secret: secret });
    const told = await this.send('/oauth2/token', { method: 'POST', body });
    this.token = told.body.access_token ?? '';
    return told;
  }

  /** Of the EDR platform. */
  get(path: string, parameters: Record<string, string | number | string[]> = {}): Promise<SimulatorResponse> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      for (const item of [value].flat()) query.append(name, String(item));
    }
    return this.send(`${path}?${query}`, { headers: this.bearer() });
  }

  /** To the EDR platform. */
  post(path: string, body: object): Promise<SimulatorResponse> {
    return this.send(path, {
      method: 'POST',
      headers: { ...this.bearer(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Of the inventory platform: a page of devices, or their count. */
  devices(
    attributes: object,
    { path = '/api/devices', type = 'entity_request_schema' } = {},
  ): Promise<SimulatorResponse> {
    const { key, secret } = AXONIUS_KEYS.full;
    return this.send(path, {
      method: 'POST',
      headers: { 'api-key': key, 'api-secret': secret, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ meta: null, data: { type, attributes } }),
    });
  }

  /** Of the control. */
  control(method: string, path: string, body?: object): Promise<SimulatorResponse> {
    return this.send(`/simulator${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  }

  async send(path: string, init: RequestInit): Promise<SimulatorResponse> {
    const response = await fetch(this.url + path, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  private bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }
}
