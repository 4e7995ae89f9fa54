import { type ApiClient, RefusedError } from '../api-client.ts';
import { failure, usageError } from '../cli-error.ts';
import type { FindingAnswer, HistoryAnswer } from './finding-answers.ts';

/** Items of 64 KB at most: a page stays below what the client takes. */
const PAGE_ITEMS = 100;

/** @param asOf epoch ms; undefined: the present */
export async function readFinding(
  client: ApiClient,
  id: string,
  asOf: number | undefined,
): Promise<FindingAnswer> {
  return (await read(client, `/api/v3/findings/${id}${queryOf(asOf)}`)) as FindingAnswer;
}

/** Every change, oldest first, page by page: memory holds one page. */
export async function* readHistory(
  client: ApiClient,
  id: string,
  asOf: number | undefined,
): AsyncGenerator<HistoryAnswer> {
  let cursor: string | undefined;
  do {
    const query = queryOf(asOf, { limit: `${PAGE_ITEMS}`, ...(cursor !== undefined && { cursor }) });
    const page = (await read(client, `/api/v3/findings/${id}/history${query}`)) as {
      items: HistoryAnswer[];
      nextCursor: string | null;
    };
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function queryOf(asOf: number | undefined, given: Record<string, string> = {}): string {
  const query = new URLSearchParams(given);
  if (asOf !== undefined) query.set('asOf', new Date(asOf).toISOString());
  return query.size === 0 ? '' : `?${query}`;
}

/** @throws CliError exit 2 where there is no such finding, or not yet; exit 1 where the service refuses otherwise */
async function read(client: ApiClient, path: string): Promise<unknown> {
  try {
    return await client.read(path);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (error.status === 404) throw usageError(error.message);
    throw failure(`the service refused: ${error.message} (${error.status})`);
  }
}
