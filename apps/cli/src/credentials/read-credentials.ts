import type { ApiClient } from '../api-client.ts';
import type { CredentialAnswer } from './credential-answers.ts';
import { refusedAct } from './refused-act.ts';

const PAGE_ITEMS = 500;

/**
 * All credentials, by user name, page by page.
 * @throws CliError exit 1 where the service refuses or is out of reach
 */
export async function* readCredentials(client: ApiClient): AsyncGenerator<CredentialAnswer> {
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: `${PAGE_ITEMS}`, ...(cursor !== null && { cursor }) });
    const page = (await client.read(`/api/v3/credentials?${query}`).catch((error: unknown) => {
      throw refusedAct(error);
    })) as { items: CredentialAnswer[]; nextCursor: string | null };
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
