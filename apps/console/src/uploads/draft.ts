import type { Api } from '../api/client.ts';
import { randomKey } from '../parts/random-key.ts';
import type { FileKind } from './given-file.ts';
import type { Refusal, Sent } from './send.ts';
import type { SignalSummary } from './signal-summary.ts';

/** What the user is shown before a file is uploaded: the service's dry run of a ZIP, or what a signal says. */
export type Preview =
  | { of: 'zip'; at: string; comesTo: Api['ZipPreviewDto'] }
  | { of: 'json'; signal: SignalSummary | null };

export type Failed = Exclude<Sent<never>, { as: 'cancelled' | 'answered' }>;

/** Where a file is on its way from the hand to the service. */
export type Step =
  | { at: 'waiting'; for: 'preview' | 'upload' }
  | { at: 'notTaken'; why: string }
  | { at: 'previewing'; share: number }
  | { at: 'malformed'; refusal: Refusal }
  | { at: 'ready'; wasCancelled?: boolean }
  | { at: 'sending'; share: number }
  | { at: 'failed'; during: 'preview' | 'upload'; failed: Failed; failedAt: number }
  | { at: 'accepted'; uploadId: string; rejected: number };

/** A file that was given, until it is an upload. */
export interface Draft {
  id: string;
  name: string;
  size: number;
  file: File;
  /** What was read of it; null before. */
  read: { kind: FileKind; bytes: Blob } | null;
  /** The same for every attempt, so that the upload counts once; another where what is asked for differs. */
  idempotencyKey: string;
  skipsInvalid: boolean;
  preview: Preview | null;
  step: Step;
}

export const draftOf = (file: File): Draft => ({
  id: randomKey(),
  name: file.name,
  size: file.size,
  file,
  read: null,
  idempotencyKey: randomKey(),
  skipsInvalid: false,
  preview: null,
  step: { at: 'waiting', for: 'preview' },
});
