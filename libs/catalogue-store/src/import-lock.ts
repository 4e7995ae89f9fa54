import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { isoTime } from '#libs/domain';
import type { CatalogueKind } from './catalogue-timeline.ts';
import { stagedImports } from './staged-imports.ts';

/** One import of a catalogue at a time; the lock ends with its session, even if the process crashes. */
const IMPORT_LOCK = 7_305_010;

/** Another import of the catalogue is at work; the message says which. */
export class ImportBusyError extends Error {
  override name = 'ImportBusyError';
}

/**
 * Works on a catalogue without concurrent imports.
 * @throws ImportBusyError
 */
export const withImportLock = <T>(
  db: Kysely<Schema>,
  catalogue: CatalogueKind,
  work: () => Promise<T>,
): Promise<T> =>
  db.connection().execute(async (session) => {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_lock(${IMPORT_LOCK}, hashtext(${catalogue})) as "isOurs"`.execute(session);
    if (!rows[0]!.isOurs) throw new ImportBusyError(await whoIsBusy(session, catalogue));
    try {
      return await work();
    } finally {
      // If this fails, the session has ended, which releases the lock.
      await sql`select pg_advisory_unlock(${IMPORT_LOCK}, hashtext(${catalogue}))`
        .execute(session)
        .catch(() => undefined);
    }
  });

async function whoIsBusy(db: Kysely<Schema>, catalogue: CatalogueKind): Promise<string> {
  const [newest] = await stagedImports(db, catalogue);
  const which = newest
    ? `of ${newest.source}, started at ${isoTime(newest.startedAt)}, has staged ${newest.stagedRows} rows`
    : 'is starting or ending';
  return `another import of the ${catalogue} catalogue ${which}: wait until it ends`;
}
