import { setTimeout } from 'node:timers/promises';
import { until } from './until.ts';

const BUSY = 429;
const BUSY_WAIT_MS = 1_000;
const BUSY_ANSWERS_MAX = 600;

/** The outcome of an upload's findings. */
export interface UploadOutcome {
  created: number;
  updated: number;
  unchanged: number;
  retired: number;
}

interface FoldedUpload {
  done: boolean;
  outcome: UploadOutcome;
}

/**
 * The service over HTTP, as a script would use it. Every method throws an Error for any response but 200; `uploadZip`
 * retries after a 429.
 */
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

  /** Changes settings; a projector must be running. They are in force when it resolves. */
  async changeSettings(changes: object): Promise<void> {
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const body = JSON.stringify(changes);
    await bodyOf(await fetch(`${this.url}/api/v3/settings`, { method: 'PATCH', headers, body }));
  }

  /**
   * Returns the upload's id once the log has every signal; waits, up to ten minutes, if the service is busy.
   * @param onBusy called each time
   */
  async uploadZip(zip: Buffer, onBusy: () => void = () => {}): Promise<string> {
    for (let busy = 0; ; busy++) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(zip)], { type: 'application/zip' }), 'signals.zip');
      const headers = { ...this.headers, accept: 'application/json' };
      const response = await fetch(`${this.url}/api/v3/signals/zip`, { method: 'POST', headers, body: form });
      if (response.status !== BUSY || busy === BUSY_ANSWERS_MAX)
        return (await bodyOf<{ uploadId: string }>(response)).uploadId;
      onBusy();
      await response.text();
      await setTimeout(BUSY_WAIT_MS);
    }
  }

  /** Waits until every event of an upload is folded; returns its outcome. */
  async untilFolded(uploadId: string): Promise<UploadOutcome> {
    let upload: FoldedUpload | undefined;
    await until(`upload ${uploadId} to be folded`, async () => {
      upload = await this.get<FoldedUpload>(`/api/v3/uploads/${uploadId}`);
      return upload.done;
    });
    return upload!.outcome;
  }

  /** Waits until at least `assets` assets have a score. */
  async untilScored(assets: number): Promise<void> {
    await until(`${assets} assets to be scored`, async () => {
      const { scoredAssets } = await this.get<{ scoredAssets: number }>('/api/v3/scores/organization');
      return scoredAssets >= assets;
    });
  }

  /** The number of findings of an asset, at most 500. */
  async findingsOf(assetId: string): Promise<number> {
    return (await this.get<{ items: unknown[] }>(`/api/v3/findings?assetId=${assetId}&limit=500`)).items
      .length;
  }

  /** The id of the asset with this name. @throws Error if there is none */
  async assetNamed(name: string): Promise<string> {
    const { items } = await this.get<{ items: { id: string; name: string }[] }>(
      `/api/v3/assets?name=${encodeURIComponent(name)}`,
    );
    const asset = items.find((one) => one.name === name);
    if (!asset) throw new Error(`no asset is called ${name}`);
    return asset.id;
  }

  async get<T>(path: string): Promise<T> {
    return bodyOf<T>(await fetch(`${this.url}${path}`, { headers: this.headers }));
  }

  /** The authorization of a request. */
  get headers() {
    return { authorization: `Bearer ${this.token}` };
  }
}

async function bodyOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
