import type { Api } from '../api/client.ts';
import { randomKey } from '../parts/random-key.ts';
import type { FileKind } from './selected-file.ts';
import type { Rejection, Sent } from './send.ts';
import type { SignalSummary } from './signal-summary.ts';

/** Preview of a file: the dry run of a ZIP or a report, or a summary of a signal. */
export type Preview =
  | { of: 'zip'; at: string; result: Api['ZipPreviewDto'] }
  | { of: 'report'; at: string; result: Api['ReportPreviewDto'] }
  | { of: 'json'; signal: SignalSummary | null };

/** What the user adds to a report; empty texts are not sent. */
export interface ReportOptions {
  format: string;
  asset: string;
  replace: string[];
}

export type Failed = Exclude<Sent<never>, { as: 'cancelled' | 'answered' }>;

/** The step of a file between selection and stored upload. */
export type Step =
  | { at: 'waiting'; for: 'preview' | 'upload' }
  | { at: 'rejected'; why: string }
  | { at: 'previewing'; share: number }
  | { at: 'malformed'; rejection: Rejection }
  | { at: 'nothingMapped' }
  | { at: 'ready'; wasCancelled?: boolean }
  | { at: 'sending'; share: number }
  | { at: 'failed'; during: 'preview' | 'upload'; failed: Failed; failedAt: number }
  | { at: 'accepted'; uploadId: string; rejected: number };

/** A selected file that is not uploaded yet. */
export interface Draft {
  id: string;
  name: string;
  size: number;
  file: File;
  /** Content of the file; null until it is read. */
  read: { kind: FileKind; bytes: Blob } | null;
  /** The same for all attempts, so that the upload counts once. Different if the request differs. */
  idempotencyKey: string;
  skipsInvalid: boolean;
  /** Of a report: the user confirmed a full assessment of which no finding is mapped. */
  allowsEmpty: boolean;
  /** Of a report: those of its preview and its upload. */
  options: ReportOptions;
  /** The options as the form shows them. */
  edited: ReportOptions;
  preview: Preview | null;
  step: Step;
}

const NO_OPTIONS: ReportOptions = { format: '', asset: '', replace: [] };

/** Whether an upload would ignore what the form shows. */
export const hasEditedOptions = ({ options, edited }: Draft): boolean =>
  JSON.stringify(edited) !== JSON.stringify(options);

export const draftOf = (file: File): Draft => ({
  id: randomKey(),
  name: file.name,
  size: file.size,
  file,
  read: null,
  idempotencyKey: randomKey(),
  skipsInvalid: false,
  allowsEmpty: false,
  options: NO_OPTIONS,
  edited: NO_OPTIONS,
  preview: null,
  step: { at: 'waiting', for: 'preview' },
});
