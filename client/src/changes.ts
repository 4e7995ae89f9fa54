import { ApiError } from './api-error.ts';
import { blocksOf } from './event-stream.ts';
import { pause } from './pause.ts';
import type { Schemas } from './types.ts';
import { chunksOf } from './upload.ts';

export type ChangeTopic = 'assets' | 'findings' | 'scores';

/** A change: `data` is the whole state after it, and `data.change` what changed, when, and by what. */
export type Change = {
  /** To go on behind this change, later or elsewhere: `changes({after: id})`. */
  id: string;
} & (
  | { kind: 'finding'; data: Schemas['FindingChanged'] }
  | { kind: 'asset'; data: Schemas['AssetChanged'] }
  | { kind: 'score'; data: Schemas['ScoreChanged'] }
);

export interface ChangesOptions {
  /** All where they are left out. */
  topics?: readonly ChangeTopic[];
  /** `id` of the last change that was taken; without it the stream begins now. */
  after?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Told whenever the stream stands: behind which change it goes on. */
  onOpen?: (id: string) => void;
  /** Told whenever the stream was cut, before it is asked for again. */
  onCut?: (error: unknown) => void;
}

/** The credential was deleted or rotated while the stream was open: sign in with other credentials. */
export class RevokedError extends Error {
  override name = 'RevokedError';
}

/** Answers the stream behind a change. @throws ApiError */
export type OpenStream = (
  after: string | undefined,
  signal: AbortSignal,
) => Promise<ReadableStream<Uint8Array>>;

/** The service is heard of every 15 s, if only that it is alive. */
const SILENCE_MS_MAX = 60_000;
const RECONNECT_MS_MIN = 500;
const RECONNECT_MS_MAX = 30_000;

/**
 * Every change from then on, each once and in order, over as many connections as it takes: one that was cut is
 * followed by another that goes on behind the last change.
 * @throws ApiError, or what the connection failed with, where the first one does not come to stand
 * @throws ApiError where the service refuses a later one
 * @throws RevokedError where the credential was deleted or rotated meanwhile
 */
export async function* followChanges(
  open: OpenStream,
  options: ChangesOptions,
): AsyncGenerator<Change, void> {
  const { signal, onOpen, onCut } = options;
  let after = options.after;
  let hasStood = false;
  let failures = 0;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const end = () => connection.abort(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    try {
      const stream = await open(after, connection.signal);
      let isOpen = false;
      for await (const { id, event, data } of blocksOf(texts(stream, connection))) {
        failures = 0;
        after = id ?? after;
        if (!isOpen && after !== undefined) onOpen?.(after);
        isOpen = true;
        hasStood = true;
        if (event === 'end') endOf(data);
        else if (data !== undefined) yield { id: after, kind: event, data: JSON.parse(data) } as Change;
      }
      onCut?.(new Error('the service ended the stream'));
    } catch (error) {
      if (signal?.aborted) return;
      if (!hasStood || isRefusal(error) || error instanceof RevokedError) throw error;
      onCut?.(error);
    } finally {
      signal?.removeEventListener('abort', end);
      connection.abort();
    }
    failures += 1;
    await pause(backoffMs(failures), signal).catch(() => {});
  }
}

/** The last event of a stream. @throws RevokedError unless another token continues it */
function endOf(data: string | undefined): void {
  const { reason, message } = JSON.parse(data ?? '{}') as { reason?: string; message?: string };
  if (reason === 'revoked') throw new RevokedError(message);
}

/** Text of the stream; a connection that nothing comes over is given up. */
async function* texts(
  stream: ReadableStream<Uint8Array>,
  connection: AbortController,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const giveUp = () => connection.abort(new Error('nothing was heard on the stream for a minute'));
  let silence = setTimeout(giveUp, SILENCE_MS_MAX);
  try {
    for await (const chunk of chunksOf(stream)) {
      clearTimeout(silence);
      yield decoder.decode(chunk, { stream: true });
      silence = setTimeout(giveUp, SILENCE_MS_MAX);
    }
  } finally {
    clearTimeout(silence);
  }
}

/** What another attempt would not mend. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

const backoffMs = (failures: number): number =>
  (Math.min(RECONNECT_MS_MIN * 2 ** failures, RECONNECT_MS_MAX) * (1 + Math.random())) / 2;
