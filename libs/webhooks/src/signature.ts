import { createHmac } from 'node:crypto';
import { keyOf } from './secret.ts';

export interface Signed {
  /** Of the delivery: the same however often it is sent; without a full stop. */
  id: string;
  /** Of the attempt, epoch ms. */
  at: number;
  body: Buffer;
  /** The current one first; each signs. */
  secrets: readonly string[];
}

/**
 * The signature of a delivery (Standard Webhooks 1.0): HMAC-SHA256 over id, seconds and body. Previous
 * secrets sign too for a day.
 */
export function signedHeaders({ id, at, body, secrets }: Signed): Record<string, string> {
  const seconds = `${Math.floor(at / 1000)}`;
  const sign = (secret: string) =>
    createHmac('sha256', keyOf(secret)!).update(`${id}.${seconds}.`).update(body).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
