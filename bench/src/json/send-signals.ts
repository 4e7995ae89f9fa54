import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';

const CONNECTIONS = 64;
const ANSWER_MS_MAX = 60_000;

export interface Sent {
  seconds: number;
  /** Response times in ms. */
  p50: number;
  p99: number;
}

/**
 * Sends each body as a separate request, over 64 connections that stay open, one request at a time on each.
 * @throws Error at the first response other than 200, or after a minute without one
 */
export async function sendSignals(
  url: string,
  headers: Record<string, string>,
  bodies: readonly Buffer[],
): Promise<Sent> {
  const { origin, pathname } = new URL(url);
  const timeouts = { headersTimeout: ANSWER_MS_MAX, bodyTimeout: ANSWER_MS_MAX };
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, ...timeouts });
  const answersMicros = createHistogram();
  const unsent = bodies.values();
  const sendOneByOne = async () => {
    for (const body of unsent) {
      const began = performance.now();
      const answer = await pool.request({ path: pathname, method: 'POST', headers, body });
      const text = await answer.body.text();
      answersMicros.record(Math.max(1, Math.round((performance.now() - began) * 1000)));
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
    }
  };
  try {
    const began = performance.now();
    await Promise.all(Array.from({ length: CONNECTIONS }, sendOneByOne));
    const seconds = (performance.now() - began) / 1000;
    return { seconds, p50: answersMicros.percentile(50) / 1000, p99: answersMicros.percentile(99) / 1000 };
  } finally {
    await pool.destroy();
  }
}
