import type { Kysely } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { CatalogueKind } from './catalogue-timeline.ts';
import { type CatalogueImport, inForce } from './imports-in-force.ts';

/** The import of a catalogue that was the last one in force at an instant (epoch ms); null if none was. */
export async function importAt(
  db: Kysely<Schema>,
  catalogue: CatalogueKind,
  at: number,
): Promise<CatalogueImport | null> {
  const found = await inForce(db)
    .where('catalogue', '=', catalogue)
    .where('valid_from', '<=', instant(at))
    .limit(1)
    .executeTakeFirst();
  return found ?? null;
}
