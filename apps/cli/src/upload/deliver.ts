import type { PostureClient, Schemas } from '#client';
import { withDetail } from '../cli-error.ts';
import type { DeliveryOptions } from '../delivery-options.ts';
import { printable } from '../printable.ts';
import type { Phase, Progress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { outcomeLines, remarkLine, totalOutcome } from './outcome.ts';
import { idsOf, type PlannedZip, type SentZip, sendZips, waitForFold } from './send-zips.ts';
import type { UnusableFile } from './signal-file.ts';

export interface Delivery extends DeliveryOptions {
  skipInvalid?: boolean;
  /** Remarks on how the ZIPs were packed. */
  notes?: string[];
  /** Files that are not in the ZIPs. */
  skipped?: UnusableFile[];
}

/**
 * Sends ZIPs, waits for the fold and prints their outcome.
 * @throws CliError as `sendZips`, and if the outcome cannot be read; the message then states that all ZIPs are stored
 */
export async function deliver(
  client: PostureClient,
  zips: PlannedZip[],
  delivery: Delivery,
  sending: Phase,
  progress: Progress,
  { stdout }: Terminal,
): Promise<void> {
  const sent = await sendZips(client, zips, delivery.skipInvalid ?? false, sending).finally(sending.end);
  const statuses = delivery.wait > 0 ? await outcomeOf(client, sent, delivery.wait, progress) : [];
  const text = delivery.json
    ? JSON.stringify(asJson(sent, statuses, delivery))
    : asLines(sent, statuses, delivery).join('\n');
  stdout.write(`${text}\n`);
}

async function outcomeOf(
  client: PostureClient,
  sent: SentZip[],
  waitSecondsMax: number,
  progress: Progress,
): Promise<Schemas['UploadDto'][]> {
  const uploadIds = sent.map(({ uploadId }) => uploadId);
  return waitForFold(client, uploadIds, waitSecondsMax, progress).catch((error: unknown) => {
    throw withDetail(error, `all signals are stored; uploads: ${idsOf(sent)}`);
  });
}

const isFolded = (sent: SentZip[], statuses: Schemas['UploadDto'][]) =>
  statuses.length === sent.length && statuses.every(({ done }) => done);

const asJson = (
  sent: SentZip[],
  statuses: Schemas['UploadDto'][],
  { notes = [], skipped = [] }: Delivery,
) => ({
  ok: true,
  zips: sent,
  folded: isFolded(sent, statuses),
  ...totalOutcome(statuses),
  notes,
  skipped,
});

function asLines(
  sent: SentZip[],
  statuses: Schemas['UploadDto'][],
  { notes = [], skipped = [] }: Delivery,
): string[] {
  const sum = (count: (zip: SentZip) => number) => sent.reduce((total, zip) => total + count(zip), 0);
  const rejected = sum((zip) => zip.rejected);
  return [
    `Accepted   ${sum((zip) => zip.accepted)} signals in ${sent.length} ${sent.length === 1 ? 'ZIP' : 'ZIPs'}`,
    ...(rejected > 0 ? [`Skipped    ${rejected} invalid signals:`] : []),
    ...sent.flatMap((zip) => zip.errors.map((error) => `  ${remarkLine(error)}`)),
    ...skipped.map(({ path, problem }) => `Skipped    ${printable(path)} ${problem}`),
    ...notes.map((note) => `Note       ${printable(note)}`),
    ...(statuses.length > 0 ? outcomeLines(totalOutcome(statuses)) : []),
    ...(isFolded(sent, statuses) ? [] : notFolded(sent, statuses)),
  ];
}

function notFolded(sent: SentZip[], statuses: Schemas['UploadDto'][]): string[] {
  const folded = statuses.reduce((total, status) => total + status.folded, 0);
  const accepted = sent.reduce((total, zip) => total + zip.accepted, 0);
  return [`Stored; ${folded} of ${accepted} signals processed so far; uploads: ${idsOf(sent)}`];
}
