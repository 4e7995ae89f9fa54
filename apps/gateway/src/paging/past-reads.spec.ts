import { describe, expect, it } from '@jest/globals';
import { type PastReader, PastReads, ROWS_WITHOUT_PLACE } from './past-reads.ts';

const refused = expect.objectContaining({ status: 429, seconds: 10 });
const MANY = ROWS_WITHOUT_PLACE + 1;

class ImpatientReads extends PastReads {
  protected override readonly waitMsMax = 20;
}

/** All work that does not wait for another read is done. */
const settled = async () => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

interface Held {
  /** Whether its step was begun. */
  isRunning: boolean;
  end: () => void;
  result: Promise<unknown>;
}

/** A read that lasts from its first large step until it is ended. */
function begin(reads: PastReads, reader: Partial<PastReader> = {}): Held {
  const held: Held = { isRunning: false, end: () => {}, result: Promise.resolve() };
  const ended = new Promise<void>((resolve) => {
    held.end = resolve;
  });
  held.result = reads
    .run({ credentialId: 'a', signal: new AbortController().signal, ...reader }, async ({ step }) => {
      await step(MANY);
      held.isRunning = true;
      await ended;
    })
    .catch((error: unknown) => error);
  return held;
}

const running = (held: readonly Held[]): number => held.filter(({ isRunning }) => isRunning).length;

describe('reads of much of the history', () => {
  it('are three of a credential at a time and six in all; nine of one wait, and further ones are refused', async () => {
    const reads = new PastReads();
    const own = Array.from({ length: 12 }, () => begin(reads));
    await settled();
    expect(running(own)).toBe(3);
    expect(await begin(reads).result).toEqual(refused);
    const others = ['b', 'c', 'd'].flatMap((credentialId) =>
      [1, 2].map(() => begin(reads, { credentialId })),
    );
    await settled();
    expect(running(others)).toBe(3);
    own[0]!.end();
    await settled();
    expect([running(own), running(others)]).toEqual([4, 3]);
    others[0]!.end();
    await settled();
    expect([running(own), running(others)]).toEqual([4, 4]);
    for (const held of [...own, ...others]) held.end();
    await Promise.all([...own, ...others].map(({ result }) => result));
    expect([running(own), running(others)]).toEqual([12, 6]);
  });

  it('are refused after a while without a place, which they then do not take', async () => {
    const reads = new ImpatientReads();
    const own = Array.from({ length: 4 }, () => begin(reads));
    expect(await own[3]!.result).toEqual(refused);
    expect(running(own)).toBe(3);
    own[0]!.end();
    const next = begin(reads);
    await settled();
    expect(next.isRunning).toBe(true);
  });

  it('leave their place or their turn with their reader', async () => {
    const reads = new PastReads();
    const own = Array.from({ length: 3 }, () => begin(reads));
    const reader = new AbortController();
    const waiting = begin(reads, { signal: reader.signal });
    const behind = begin(reads);
    await settled();
    // Its place is free in the moment in which it leaves.
    own[0]!.end();
    reader.abort(new Error('gone'));
    await settled();
    expect([waiting.isRunning, behind.isRunning]).toEqual([false, true]);
    expect(await waiting.result).toEqual(new Error('gone'));
    own[1]!.end();
    own[2]!.end();
    await settled();
    const next = [1, 2].map(() => begin(reads));
    await settled();
    expect(running(next)).toBe(2);
    expect(await begin(reads, { signal: AbortSignal.abort(new Error('gone')) }).result).toEqual(
      new Error('gone'),
    );
  });

  it('need no place for few rows, and none that something else bounds', async () => {
    const reads = new PastReads();
    const own = Array.from({ length: 12 }, () => begin(reads));
    const { signal } = new AbortController();
    const few = reads.run({ credentialId: 'a', signal }, async ({ step }) => {
      await step(ROWS_WITHOUT_PLACE / 2);
      await step(ROWS_WITHOUT_PLACE / 2);
      return 'read';
    });
    expect(await few).toBe('read');
    const exported = begin(reads, { credentialId: null });
    await settled();
    expect(exported.isRunning).toBe(true);
    for (const held of [...own, exported]) held.end();
  });

  it('end when the service stops', async () => {
    const reads = new PastReads();
    const own = Array.from({ length: 4 }, () => begin(reads));
    await settled();
    reads.onModuleDestroy();
    expect(await own[3]!.result).toEqual(refused);
    expect(await begin(reads, { credentialId: null }).result).toEqual(refused);
  });
});
