import type { PostureClient, Schemas } from '#client';
import { rejection } from '../rejection.ts';

const PAGE_ITEMS = 500;

/**
 * All credentials, by user name, page by page.
 * @throws CliError exit 1 if the service refuses or is unreachable
 */
export async function* readCredentials(client: PostureClient): AsyncGenerator<Schemas['CredentialDto']> {
  try {
    yield* client.items('/api/v3/credentials', { params: { query: { limit: PAGE_ITEMS } } });
  } catch (error) {
    throw rejection(error);
  }
}
