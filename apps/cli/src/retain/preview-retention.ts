import { ApiError, type PostureClient, type Schemas } from '#client';
import { failure, usageError } from '../cli-error.ts';
import { rejection } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { tableLines } from '../text-table.ts';

type Preview = Schemas['RetentionPreviewDto'];

/**
 * Prints what would be removed.
 * @throws CliError exit 2 if the type or the days are invalid; exit 1 if nothing has a retention, or the service refuses
 *   or is unreachable
 */
export async function previewRetention(
  client: PostureClient,
  given: { type: string | undefined; days: number | '' | undefined },
  json: boolean,
  { stdout }: Terminal,
): Promise<void> {
  const previews: Preview[] = [];
  try {
    const types = given.type === undefined ? await typesWithDays(client) : [given.type as Preview['type']];
    for (const type of types) {
      const query = { type, ...(typeof given.days === 'number' && { days: given.days }) };
      previews.push(await client.get('/api/v3/history-retention/preview', { params: { query } }));
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw usageError(error.message);
    throw rejection(error);
  }
  if (previews.length === 0) {
    throw failure(
      'the history of all findings is kept for ever: set historyRetentionDays, or name --type and --days',
    );
  }
  stdout.write(json ? `${JSON.stringify({ ok: true, previews })}\n` : textOf(previews));
}

async function typesWithDays(client: PostureClient): Promise<Preview['type'][]> {
  const { types } = await client.get('/api/v3/history-retention', {});
  return types.filter(({ days }) => days !== null).map(({ type }) => type);
}

function textOf(previews: Preview[]): string {
  const lines = tableLines([
    ['Type', 'Days', 'Before', 'Changes, at most', 'Oldest', 'Findings', 'Waits for'],
    ...previews.map(({ type, days, before, changes, isComplete, oldest, findings, waitingFor }) => [
      type,
      String(days),
      before,
      isComplete ? String(changes) : `${changes}, and more`,
      oldest ?? '',
      String(findings),
      waitingFor.map(({ reader, partitions }) => `${reader} (${partitions} partitions)`).join(', '),
    ]),
  ]);
  const subjects = Math.max(...previews.map((one) => one.subjects));
  return [...lines, `Keys of deleted users and machines that would be destroyed: ${subjects}`]
    .map((line) => `${line}\n`)
    .join('');
}
