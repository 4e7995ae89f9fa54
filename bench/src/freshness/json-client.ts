import { Pool } from 'undici';
import type { HttpClient } from '../run/http-client.ts';

/** An upload that was answered with 200. */
export interface Answered {
  uploadId: string;
  /** On the monotonic clock, ms. */
  sentAt: number;
  answeredAt: number;
}

/** Sends single signals over kept connections. Uses little CPU, because it shares the machine with the service. */
export class JsonClient {
  private readonly pool: Pool;

  constructor(
    private readonly client: HttpClient,
    connections: number,
  ) {
    this.pool = new Pool(client.url, { connections });
  }

  /** @throws Error if the answer is not 200 */
  async send(signal: Buffer): Promise<Answered> {
    const sentAt = performance.now();
    const headers = { ...this.client.headers, 'content-type': 'application/json' };
    const response = await this.pool.request({
      path: '/api/v3/signals/',
      method: 'POST',
      headers,
      body: signal,
    });
    const text = await response.body.text();
    const answeredAt = performance.now();
    if (response.statusCode !== 200) throw new Error(`a signal got status ${response.statusCode}: ${text}`);
    return { uploadId: (JSON.parse(text) as { uploadId: string }).uploadId, sentAt, answeredAt };
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
