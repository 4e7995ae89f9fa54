import { ApiError, type PostureClient, type Schemas } from '#client';
import { isoTime } from '#libs/domain';
import { usageError } from '../cli-error.ts';
import { rejection } from '../rejection.ts';

/** Items of 64 KB at most: a page stays below the client's limit. */
const PAGE_ITEMS = 100;

/**
 * @param asOf epoch ms; undefined: the present
 * @throws CliError exit 2 if there is no such finding, or not yet; exit 1 if the service rejects the request otherwise
 */
export async function readFinding(
  client: PostureClient,
  id: string,
  asOf: number | undefined,
): Promise<Schemas['FindingDto']> {
  const params = { path: { id }, query: instantOf(asOf) };
  return client.get('/api/v3/findings/{id}', { params }).catch((error: unknown) => {
    throw problemOf(error);
  });
}

/** Every change, oldest first, page by page: memory contains one page. @throws CliError as `readFinding` */
export async function* readHistory(
  client: PostureClient,
  id: string,
  asOf: number | undefined,
): AsyncGenerator<Schemas['HistoryItemDto']> {
  const params = { path: { id }, query: { ...instantOf(asOf), limit: PAGE_ITEMS } };
  try {
    yield* client.items('/api/v3/findings/{id}/history', { params });
  } catch (error) {
    throw problemOf(error);
  }
}

const instantOf = (asOf: number | undefined) => (asOf === undefined ? {} : { asOf: isoTime(asOf) });

const problemOf = (error: unknown): unknown =>
  error instanceof ApiError && error.status === 404 ? usageError(error.message) : rejection(error);
