import type { PostureClient, Schemas } from '#client';
import { printable } from '../printable.ts';
import { rejection } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { tableLines } from '../text-table.ts';

const PAGE_ITEMS = 500;

/** Prints all erasures, newest first. @throws CliError exit 1 if the service refuses or is unreachable */
export async function listErasures(
  client: PostureClient,
  json: boolean,
  { stdout }: Terminal,
): Promise<void> {
  const erasures: Schemas['ErasureDto'][] = [];
  const pages = client.items('/api/v3/erasures', { params: { query: { limit: PAGE_ITEMS } } });
  try {
    for await (const erasure of pages) erasures.push(erasure);
  } catch (error) {
    throw rejection(error);
  }
  stdout.write(json ? `${JSON.stringify({ ok: true, erasures })}\n` : tableOf(erasures));
}

const tableOf = (erasures: Schemas['ErasureDto'][]): string =>
  tableLines([
    ['Subject', 'Erased', 'By', 'Key destroyed', 'Reason'],
    ...erasures.map(({ id, at, by, keyDestroyedAt, reason }) => [
      id,
      at ?? '',
      printable(by ?? ''),
      keyDestroyedAt ?? 'not yet',
      printable(reason ?? ''),
    ]),
  ])
    .map((line) => `${line}\n`)
    .join('');
