import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type PostureClient, type Schemas } from '#client';
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

export type SentZip = Schemas['ZipAnswerDto'] & { zip: string };

/**
 * Sends ZIPs one after another, each after the answer to the one before (R-CLI-4).
 * @throws CliError exit 1 at the first ZIP that the service refuses, with its errors entry by entry, or that cannot be
 * sent; of several ZIPs it says how many went in
 */
export async function sendZips(
  client: PostureClient,
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
  client: PostureClient,
  { label, bytes }: PlannedZip,
  skipInvalid: boolean,
): Promise<Schemas['ZipAnswerDto']> {
  return client.uploadZip(await bytes(), { skipInvalid }).catch((error) => {
    throw error instanceof ApiError ? refusal(error, label) : error;
  });
}

const refusal = (error: ApiError, label: string) =>
  failure(
    `${printable(label)} was rejected (${error.status}): ${printable(error.message)}`,
    error.problems.map(remarkLine),
  );

function wentIn(sent: SentZip[], label: string, total: number): string {
  const uploads = sent.length === 0 ? '' : ` (uploads: ${idsOf(sent)})`;
  return `${sent.length} of ${total} ZIPs were stored${uploads} before ${printable(label)}; ${total - sent.length - 1} later ZIPs were not sent`;
}

export const idsOf = (sent: SentZip[]): string => sent.map(({ uploadId }) => uploadId).join(', ');

const POLL_MS_MIN = 100;
const POLL_MS_MAX = 2_000;

/**
 * Asks how far the fold is until every upload is done or the time is over.
 * @returns the last status of each, in the order given; `done` states which are complete
 */
export async function waitForFold(
  client: PostureClient,
  uploadIds: string[],
  waitSecondsMax: number,
  progress: Progress,
): Promise<Schemas['UploadDto'][]> {
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

async function statusesOf(client: PostureClient, uploadIds: string[]): Promise<Schemas['UploadDto'][]> {
  const statuses: Schemas['UploadDto'][] = [];
  for (const id of uploadIds) statuses.push(await statusOf(client, id));
  return statuses;
}

async function refreshed(
  client: PostureClient,
  statuses: Schemas['UploadDto'][],
): Promise<Schemas['UploadDto'][]> {
  const next: Schemas['UploadDto'][] = [];
  for (const status of statuses) next.push(status.done ? status : await statusOf(client, status.id));
  return next;
}

async function statusOf(client: PostureClient, uploadId: string): Promise<Schemas['UploadDto']> {
  return client.get('/api/v3/uploads/{id}', { params: { path: { id: uploadId } } }).catch((error) => {
    if (!(error instanceof ApiError)) throw error;
    throw failure(`the outcome of upload ${uploadId} cannot be read (${error.status}): ${error.message}`);
  });
}
