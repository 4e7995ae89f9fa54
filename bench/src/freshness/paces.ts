import { setTimeout } from 'node:timers/promises';

/** A service with more requests in progress cannot keep up with the rate. */
const UNDER_WAY_MAX = 1_000;

/** Sends items one after another on each of `lanes`, until no item or time is left. Returns answers in send order. */
export async function closedLoop<I, O>(
  items: Iterator<I>,
  { lanes, seconds }: { lanes: number; seconds: number },
  send: (item: I) => Promise<O>,
): Promise<O[]> {
  const end = performance.now() + seconds * 1000;
  const sent: Promise<O>[] = [];
  const lane = async () => {
    while (performance.now() < end) {
      const { done, value } = items.next();
      if (done) return;
      sent.push(send(value));
      await sent.at(-1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return Promise.all(sent);
}

/**
 * Sends at fixed times, so that a slow answer does not delay later items.
 * @throws Error if more than `UNDER_WAY_MAX` items wait for an answer
 */
export async function openLoop<I, O>(
  items: readonly I[],
  perSecond: number,
  send: (item: I) => Promise<O>,
): Promise<O[]> {
  const began = performance.now();
  const sent: Promise<O>[] = [];
  let underWay = 0;
  const one = async (item: I) => {
    underWay++;
    const answer = await send(item);
    underWay--;
    return answer;
  };
  while (sent.length < items.length) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond) + 1;
    while (sent.length < Math.min(due, items.length)) {
      const answer = one(items[sent.length]!);
      // The last `Promise.all` throws the error.
      answer.catch(() => undefined);
      sent.push(answer);
    }
    if (underWay > UNDER_WAY_MAX) throw new Error(`more than ${UNDER_WAY_MAX} uploads wait for an answer`);
    await setTimeout(1);
  }
  return Promise.all(sent);
}
