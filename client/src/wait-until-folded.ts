import { pause } from './pause.ts';
import type { Schemas } from './types.ts';

export interface WaitOptions {
  /** Default: 60,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

const TIMEOUT_MS = 60_000;
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

/** @param read returns the upload @throws NotFoldedError */
export async function untilFolded(
  read: () => Promise<Schemas['UploadDto']>,
  { timeoutMs = TIMEOUT_MS, signal }: WaitOptions,
): Promise<Schemas['UploadDto']> {
  const end = Date.now() + timeoutMs;
  for (let ms = POLL_MS_MIN; ; ms = Math.min(ms * 1.5, POLL_MS_MAX)) {
    const upload = await read();
    if (upload.done) return upload;
    if (Date.now() + ms > end) throw new NotFoldedError(upload, timeoutMs);
    await pause(ms, signal);
  }
}
