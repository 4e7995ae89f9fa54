import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, RefusedError, type UploadStatus, type ZipReceipt } from '../api-client.ts';
import { failure, withDetail } from '../cli-error.ts';
import { printable } from '../printable.ts';
import type { Phase, Progress } from '../progress.ts';
import { remarkLine } from './outcome.ts';

/** A ZIP to send; its bytes are made when its turn comes. */
export interface PlannedZip {
  /** For the user. */
  label: string;
  bytes: () => Promise<Buffer>;
}

export interface SentZip extends ZipReceipt {
  zip: string;
}

/**
 * Sends ZIPs one after another, each after the answer to the one before (spec §What the service does, point 6).
 * @throws CliError exit 1 at the first ZIP that the service refuses, with its errors entry by entry, or that cannot be
 * sent; of several ZIPs it says how many went in
 */
export async function sendZips(
  client: ApiClient,
  zips: PlannedZip[],
  skipInvalid: boolean,
  phase: Phase,
): Promise<SentZip[]> {
  const sent: SentZip[] = [];
  for (const { label, bytes } of zips) {
    const receipt = await sendZip(client, { label, bytes }, skipInvalid).catch((error: unknown) => {
      throw zips.length > 1 ? withDetail(error, wentIn(sent, label, zips.length)) : error;
    });
    sent.push({ zip: label, ...receipt });
    phase.reach(sent.length);
  }
  return sent;
}

async function sendZip(
  client: ApiClient,
  { label, bytes }: PlannedZip,
  skipInvalid: boolean,
): Promise<ZipReceipt> {
  return client.uploadZip(await bytes(), randomUUID(), skipInvalid).catch((error) => {
    throw error instanceof RefusedError ? refusal(error, label) : error;
  });
}

const refusal = (error: RefusedError, label: string) =>
  failure(
    `${printable(label)} was refused (${error.status}): ${printable(error.message)}`,
    error.errors.map(remarkLine),
  );

function wentIn(sent: SentZip[], label: string, total: number): string {
  const uploads = sent.length === 0 ? '' : ` (uploads: ${idsOf(sent)})`;
  return `${sent.length} of ${total} ZIPs went in${uploads} before ${printable(label)}; ${total - sent.length - 1} after it were not sent`;
}

export const idsOf = (sent: SentZip[]): string => sent.map(({ uploadId }) => uploadId).join(', ');

const POLL_MS_MIN = 100;
const POLL_MS_MAX = 2_000;

/**
 * Asks how far the fold is until every upload is done or the time is over.
 * @returns the last status of each, in the order given; `done` tells which are complete
 */
export async function waitForFold(
  client: ApiClient,
  uploadIds: string[],
  waitSecondsMax: number,
  progress: Progress,
): Promise<UploadStatus[]> {
  const deadline = Date.now() + waitSecondsMax * 1000;
  let statuses = await statusesOf(client, uploadIds);
  const total = statuses.reduce((sum, { accepted }) => sum + accepted, 0);
  const phase = progress.phase('Folding', total, 'signals');
  try {
    for (let pollMs = POLL_MS_MIN; ; pollMs = Math.min(pollMs * 2, POLL_MS_MAX)) {
      phase.reach(statuses.reduce((sum, { folded }) => sum + folded, 0));
      if (statuses.every(({ done }) => done) || Date.now() + pollMs > deadline) return statuses;
      await delay(pollMs);
      statuses = await refreshed(client, statuses);
    }
  } finally {
    phase.end();
  }
}

async function statusesOf(client: ApiClient, uploadIds: string[]): Promise<UploadStatus[]> {
  const statuses: UploadStatus[] = [];
  for (const id of uploadIds) statuses.push(await statusOf(client, id));
  return statuses;
}

async function refreshed(client: ApiClient, statuses: UploadStatus[]): Promise<UploadStatus[]> {
  const next: UploadStatus[] = [];
  for (const status of statuses) next.push(status.done ? status : await statusOf(client, status.id));
  return next;
}

async function statusOf(client: ApiClient, uploadId: string): Promise<UploadStatus> {
  return client.uploadStatus(uploadId).catch((error) => {
    if (!(error instanceof RefusedError)) throw error;
    throw failure(`the outcome of upload ${uploadId} cannot be read (${error.status}): ${error.message}`);
  });
}
