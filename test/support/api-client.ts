import yazl from 'yazl';
import { until } from './until.ts';

export interface Answer<T = any> {
  status: number;
  headers: Headers;
  body: T;
}

/** The API as a script with curl would use it. */
export class ApiClient {
  private constructor(
    readonly url: string,
    private readonly token: string,
  ) {}

  /** @param token an API token */
  static withToken(url: string, token: string): ApiClient {
    return new ApiClient(url, token);
  }

  static async signIn(
    url: string,
    { username, password }: { username: string; password: string },
  ): Promise<ApiClient> {
    const response = await fetch(`${url}/api/v3/auth`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'content-type': 'text/plain',
      },
    });
    if (response.status !== 200)
      throw new Error(`sign-in answered ${response.status}: ${await response.text()}`);
    const { accessToken } = (await response.json()) as { accessToken: string };
    return new ApiClient(url, accessToken);
  }

  /** The same caller, at another address of the service. */
  at(url: string): ApiClient {
    return new ApiClient(url, this.token);
  }

  /** For requests that this client cannot make. */
  get authorization(): string {
    return `Bearer ${this.token}`;
  }

  async request(
    method: string,
    path: string,
    body?: string | FormData | Blob,
    headers: Record<string, string> = {},
    giveUp?: AbortSignal,
  ): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      ...(giveUp && { signal: giveUp }),
      headers: { authorization: `Bearer ${this.token}`, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  /** @throws Error on anything but 200 */
  async get<T = any>(path: string): Promise<T> {
    const { status, body } = await this.request('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  signal(signal: unknown, headers: Record<string, string> = {}, giveUp?: AbortSignal): Promise<Answer> {
    const body = typeof signal === 'string' ? signal : JSON.stringify(signal);
    const type = { 'content-type': 'application/json' };
    return this.request('POST', '/api/v3/signals', body, { ...type, ...headers }, giveUp);
  }

  zip(zip: Buffer, headers: Record<string, string> = {}, query = '', giveUp?: AbortSignal): Promise<Answer> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(zip)], { type: 'application/zip' }), 'signals.zip');
    const accept = { accept: 'application/json' };
    return this.request('POST', `/api/v3/signals/zip${query}`, form, { ...accept, ...headers }, giveUp);
  }

  /** Waits until every event of an upload is folded. */
  async folded(uploadId: string): Promise<any> {
    let upload: any;
    await until(`the fold of upload ${uploadId}`, async () => {
      upload = await this.get(`/api/v3/uploads/${uploadId}`);
      return upload.done;
    });
    return upload;
  }

  /** All items of a list, page by page. */
  async all<T = any>(path: string): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | null = null;
    do {
      const separator = path.includes('?') ? '&' : '?';
      const page: { items: T[]; nextCursor: string | null } = await this.get(
        `${path}${separator}limit=500${cursor ? `&cursor=${cursor}` : ''}`,
      );
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    return items;
  }
}

/** The same contents give the same bytes: a retry under a key must bring the body of the first attempt. */
const MODIFIED = new Date(2026, 0, 1);

/** A ZIP of named contents; values that are no text go in as JSON. */
export function zipOf(entries: Record<string, unknown>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(entries)) {
    const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    zip.addBuffer(Buffer.from(text), name, { mtime: MODIFIED });
  }
  zip.end();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    zip.outputStream.on('data', (chunk: Buffer) => chunks.push(chunk));
    zip.outputStream.on('end', () => resolve(Buffer.concat(chunks)));
    zip.outputStream.on('error', reject);
  });
}

/** A plain failing VA signal, with the overrides of a test. */
export const plainSignal = (name: string, host: string, given: Record<string, unknown> = {}) => ({
  version: '1.0',
  id: '09d34300-4c54-4e5e-9050-fff5d912cb19',
  name,
  entity: { type: 'machine', name: host },
  securityContext: {
    type: 'va',
    status: { complianceStatus: 'fail' },
    severity: { type: 'cvss', value: 7.5 },
    standardsMapping: [{ name: 'cve', value: 'CVE-2021-44228' }],
  },
  ...given,
});
