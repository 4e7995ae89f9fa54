import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import { initialOrganization, ORGANIZATION_KEY, type Organization } from '#libs/domain';

/** The folded decisions of the organization. */
export async function readOrganization(db: Kysely<Schema>): Promise<Organization> {
  const row = await db
    .selectFrom('organization')
    .select('state')
    .where('entity_key', '=', ORGANIZATION_KEY)
    .executeTakeFirst();
  return (row?.state as Organization | undefined) ?? initialOrganization();
}
