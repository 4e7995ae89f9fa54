import { setTimeout } from 'node:timers/promises';

const BUSY = 429;
const BUSY_WAIT_MS = 1_000;
const LOOK_INTERVAL_MS = 50;

/** The service over HTTP, as a script would use it. Every method throws on what is neither 200 nor a passing 429. */
export class HttpClient {
  private constructor(
    readonly url: string,
    private readonly token: string,
  ) {}

  static async signIn(url: string, username: string, password: string): Promise<HttpClient> {
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    const response = await fetch(`${url}/api/v3/auth`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'text/plain' },
    });
    const { accessToken } = await bodyOf<{ accessToken: string }>(response);
    return new HttpClient(url, accessToken);
  }

  /** Changes settings; they are in force when it resolves. */
  async changeSettings(changes: object): Promise<void> {
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const body = JSON.stringify(changes);
    await bodyOf(await fetch(`${this.url}/api/v3/settings`, { method: 'PATCH', headers, body }));
  }

  /** Answers the upload's id once the log holds every signal; waits where the service says that it is busy. */
  async uploadZip(zip: Buffer): Promise<string> {
    for (;;) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(zip)], { type: 'application/zip' }), 'signals.zip');
      const headers = { ...this.headers, accept: 'application/json' };
      const response = await fetch(`${this.url}/api/v3/signals/zip`, { method: 'POST', headers, body: form });
      if (response.status !== BUSY) return (await bodyOf<{ uploadId: string }>(response)).uploadId;
      await response.text();
      await setTimeout(BUSY_WAIT_MS);
    }
  }

  /** Waits until every event of an upload is folded. */
  async untilFolded(uploadId: string): Promise<void> {
    const isFolded = async () => (await this.get<{ done: boolean }>(`/api/v3/uploads/${uploadId}`)).done;
    while (!(await isFolded())) await setTimeout(LOOK_INTERVAL_MS);
  }

  /** Waits until so many assets have a score. */
  async untilScored(assets: number): Promise<void> {
    const scored = () => this.get<{ scoredAssets: number }>('/api/v3/scores/organization');
    while ((await scored()).scoredAssets < assets) await setTimeout(LOOK_INTERVAL_MS);
  }

  /** How many findings an asset lists, the first page of up to 500. */
  async findingsOf(assetId: string): Promise<number> {
    return (await this.get<{ items: unknown[] }>(`/api/v3/findings?assetId=${assetId}&limit=500`)).items
      .length;
  }

  async get<T>(path: string): Promise<T> {
    return bodyOf<T>(await fetch(`${this.url}${path}`, { headers: this.headers }));
  }

  /** What signs a request in. */
  get headers() {
    return { authorization: `Bearer ${this.token}` };
  }
}

async function bodyOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
