import { pause } from './pause.ts';
import type { Schemas } from './types.ts';

export interface WaitOptions {
  /** Default: 60,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

const TIMEOUT_MS = 60_000;
/** Of a timer. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;
const POLL_MS_MIN = 100;
const POLL_MS_MAX = 2_000;

/** The upload was not folded in time. It is stored in the log and will be folded later. */
export class NotFoldedError extends Error {
  override name = 'NotFoldedError';

  constructor(
    /** The last response. */
    readonly upload: Schemas['UploadDto'],
    timeoutMs: number,
  ) {
    super(`upload ${upload.id}: ${upload.folded} of ${upload.accepted} signals folded after ${timeoutMs} ms`);
  }
}

/** @param read returns the upload @throws NotFoldedError; the reason of the signal if no answer came before it aborts */
export async function untilFolded(
  read: (signal: AbortSignal) => Promise<Schemas['UploadDto']>,
  { timeoutMs = TIMEOUT_MS, signal }: WaitOptions,
): Promise<Schemas['UploadDto']> {
  const timeout = AbortSignal.timeout(Math.min(timeoutMs, TIMEOUT_MS_MAX));
  const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
  let upload: Schemas['UploadDto'] | undefined;
  try {
    for (let ms = POLL_MS_MIN; ; ms = Math.min(ms * 1.5, POLL_MS_MAX)) {
      upload = await read(ended);
      if (upload.done) return upload;
      await pause(ms, ended);
    }
  } catch (error) {
    if (upload && error === timeout.reason) throw new NotFoldedError(upload, timeoutMs);
    throw error;
  }
}
