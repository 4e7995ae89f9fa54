import type { PostureClient, Schemas } from '#client';
import { rejection } from '../rejection.ts';

const PAGE_ITEMS = 500;

/**
 * All API tokens, by name, page by page.
 * @throws CliError exit 1 if the service refuses or is unreachable
 */
export async function* readApiTokens(client: PostureClient): AsyncGenerator<Schemas['ApiTokenDto']> {
  try {
    yield* client.items('/api/v3/tokens', { params: { query: { limit: PAGE_ITEMS } } });
  } catch (error) {
    throw rejection(error);
  }
}
