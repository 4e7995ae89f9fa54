import type { PostureClient } from '#client';
import type { Phase } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import type { Delivery } from './deliver.ts';
import { previewLines } from './preview-lines.ts';
import { previewZips } from './preview-zips.ts';
import type { PlannedZip } from './send-zips.ts';

/**
 * Requests the preview of ZIPs, and prints it; the service stores nothing.
 * @throws CliError exit 1 at the first ZIP that the service would reject, with its errors entry by entry
 */
export async function preview(
  client: PostureClient,
  zips: PlannedZip[],
  { skipInvalid = false, json, notes = [], skipped = [] }: Delivery,
  phase: Phase,
  { stdout }: Terminal,
): Promise<void> {
  const previewed = await previewZips(client, zips, skipInvalid, phase).finally(phase.end);
  const remarks = { notes, skipped };
  const text = json
    ? JSON.stringify({ ok: true, dryRun: true, ...previewed, ...remarks })
    : previewLines(previewed, remarks).join('\n');
  stdout.write(`${text}\n`);
}
