import { ApiError } from './api-error.ts';
import { backOffMs } from './back-off.ts';
import { blocksOf, EventTooLargeError } from './event-stream.ts';
import { pause } from './pause.ts';
import type { Schemas } from './types.ts';
import { chunksOf } from './upload.ts';

export type ChangeTopic = 'assets' | 'findings' | 'scores';

/** A change: `data` is the complete state after it, `data.change` describes the change, its time and its cause. */
export type Change = {
  /** Resumes the stream after this change: `changes({after: id})`. */
  id: string;
} & (
  | { kind: 'finding'; data: Schemas['FindingChanged'] }
  | { kind: 'asset'; data: Schemas['AssetChanged'] }
  | { kind: 'score'; data: Schemas['ScoreChanged'] }
  /** Only for callers that are limited to departments or locations: they do not see the asset any more. */
  | { kind: 'hidden'; data: { assetId: string; at: string } }
);

export interface ChangesOptions {
  /** Default: all topics. */
  topics?: readonly ChangeTopic[];
  /** `id` of the last processed change. Default: the stream starts with new changes. */
  after?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Called each time the stream opens, with the id after which it continues. */
  onOpen?: (id: string) => void;
  /** Called each time the stream is interrupted, before it reconnects. */
  onCut?: (error: unknown) => void;
}

/** The credential was deleted or rotated while the stream was open. Sign in with other credentials. */
export class RevokedError extends Error {
  override name = 'RevokedError';
}

/**
 * The scopes, departments, locations or networks of the caller were changed while the stream was open. Open another one
 * without `after`, and read the lists.
 */
export class AccessChangedError extends Error {
  override name = 'AccessChangedError';
}

/** Opens the stream after a change. @throws ApiError */
export type OpenStream = (
  after: string | undefined,
  signal: AbortSignal,
) => Promise<ReadableStream<Uint8Array>>;

/** Read timeout. The service sends a heartbeat every 15 s. */
const SILENCE_MS_MAX = 60_000;
const RECONNECT_BACK_OFF = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Yields every change once and in order. After a lost connection it reconnects and resumes after the last change.
 * @throws ApiError, or the connection error, if the first connection fails
 * @throws ApiError if the service rejects a later connection
 * @throws RevokedError if the credential was deleted or rotated
 * @throws AccessChangedError if the rights of the caller were changed
 * @throws EventTooLargeError
 */
export async function* followChanges(
  open: OpenStream,
  options: ChangesOptions,
): AsyncGenerator<Change, void> {
  const { signal, onOpen, onCut } = options;
  let after = options.after;
  let hasOpened = false;
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
        hasOpened = true;
        if (event === 'end') endOf(data);
        else if (data !== undefined) yield { id: after, kind: event, data: JSON.parse(data) } as Change;
      }
      onCut?.(new Error('the service ended the stream'));
    } catch (error) {
      if (signal?.aborted) return;
      if (!hasOpened || isPermanent(error)) throw error;
      onCut?.(error);
    } finally {
      signal?.removeEventListener('abort', end);
      connection.abort();
    }
    failures += 1;
    await pause(backOffMs(failures, RECONNECT_BACK_OFF, Math.random()), signal).catch(() => {});
  }
}

/** Handles the last event of a stream. @throws RevokedError, AccessChangedError unless a new token can resume the stream */
function endOf(data: string | undefined): void {
  const { reason, message } = JSON.parse(data ?? '{}') as { reason?: string; message?: string };
  if (reason === 'revoked') throw new RevokedError(message);
  if (reason === 'changed') throw new AccessChangedError(message);
}

/** Text of the stream. A silent connection is aborted. */
async function* texts(
  stream: ReadableStream<Uint8Array>,
  connection: AbortController,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const giveUp = () => connection.abort(new Error('no data on the stream for 60 s'));
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

/** Whether a retry cannot succeed. */
const isPermanent = (error: unknown): boolean =>
  error instanceof RevokedError ||
  error instanceof AccessChangedError ||
  error instanceof EventTooLargeError ||
  (error instanceof ApiError && error.status < 500 && error.status !== 429);
