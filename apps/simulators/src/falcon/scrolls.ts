import { randomUUID } from 'node:crypto';
import { Refusal } from '../http/answer.ts';

/** How long a token may wait for its request, in milliseconds. */
const SCROLL_MS = 120_000;
const SCROLLS_MAX = 100;

interface Scroll {
  /** The results at the start of the scroll. */
  numbers: number[];
  position: number;
  expiresAtMs: number;
}

/** The rest of lists that are being scrolled; each token identifies one page. */
export class Scrolls {
  private readonly byToken = new Map<string, Scroll>();

  constructor(private readonly nowMs: () => number) {}

  keep(numbers: number[], position: number): { token: string; expiresAtMs: number } {
    const [oldest] = this.byToken.keys();
    if (this.byToken.size === SCROLLS_MAX && oldest !== undefined) this.byToken.delete(oldest);
    const token = Buffer.from(randomUUID()).toString('base64url');
    const expiresAtMs = this.nowMs() + SCROLL_MS;
    this.byToken.set(token, { numbers, position, expiresAtMs });
    return { token, expiresAtMs };
  }

  /** @throws Refusal 400 if the token is unknown or two minutes old */
  take(token: string): Scroll {
    const scroll = this.byToken.get(token);
    if (scroll === undefined || scroll.expiresAtMs <= this.nowMs()) {
      throw new Refusal(400, 'Invalid offset: the scroll token is unknown or has expired');
    }
    return scroll;
  }
}
