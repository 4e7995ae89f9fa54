import type { ApiClient } from '../api-client.ts';
import type { Phase } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import type { Delivery } from './deliver.ts';
import { previewLines } from './preview-lines.ts';
import { previewZips } from './preview-zips.ts';
import type { PlannedZip } from './send-zips.ts';

/**
 * Asks what ZIPs would come to, and prints it; the service stores nothing.
 * @throws CliError exit 1 at the first ZIP that the service would refuse, with its errors entry by entry
 */
export async function preview(
  client: ApiClient,
  zips: PlannedZip[],
  { skipInvalid = false, json, notes = [], skipped = [] }: Delivery,
  phase: Phase,
  { stdout }: Terminal,
): Promise<void> {
  const foreseen = await previewZips(client, zips, skipInvalid, phase).finally(phase.end);
  const remarks = { notes, skipped };
  const text = json
    ? JSON.stringify({ ok: true, dryRun: true, ...foreseen, ...remarks })
    : previewLines(foreseen, remarks).join('\n');
  stdout.write(`${text}\n`);
}
