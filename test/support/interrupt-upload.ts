import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';

/** Leaves an upload as a gateway that ends before its answer does: its key is used, and has no answer. */
export async function interruptUpload(db: Kysely<Schema>, key: string): Promise<void> {
  await db.updateTable('idempotency_keys').where('key', '=', key).set({ answer: null }).execute();
}
