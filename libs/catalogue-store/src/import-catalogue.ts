import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { CatalogueFileError } from '#libs/catalogue';
import type { Schema } from '#libs/database';
import type { CatalogueImported } from '#libs/domain';
import type { CatalogueKind } from './catalogue-timeline.ts';
import { withImportLock } from './import-lock.ts';
import { type CatalogueImport, inForce } from './imports-in-force.ts';
import { bringPendingIntoForce } from './pending-imports.ts';
import { ContentChangedError, stageRows } from './stage-rows.ts';
import {
  beginImport,
  discardImports,
  noteContent,
  type ReadRow,
  type StagedImport,
  stagedImports,
} from './staged-imports.ts';
import { ListShrunkError, rejectShrunkList } from './whole-list.ts';

export interface ImportRequest {
  catalogue: CatalogueKind;
  /** Name of the file or directory, without its folders. */
  source: string;
  /** Reads the rows from the beginning: once, or twice if an interrupted import turns out to be of other rows. */
  read: () => AsyncIterable<ReadRow>;
  /** true: a list is imported also if it has much fewer CVEs than the one in force. Default: false. */
  mayShrink?: boolean;
  /** Instant in the past from which on the rows count, epoch milliseconds; null or left out: from the import on. */
  effectiveFrom?: number | null;
  /** Receives how many rows were read. */
  onRead?: (rows: number) => void;
}

/** The part of the log that an import uses. */
export interface ImportLog {
  /** Resolves when all is folded that is in the log at the call. */
  settled(): Promise<void>;
  /** Appends an event; resolves when it is folded. */
  announce(event: CatalogueImported): Promise<void>;
}

/**
 * Imports a catalogue: all rows are staged, the event goes to the log, and with it they come into force (R-CAT-4). Until
 * then nothing has changed. If an earlier import of the same source was interrupted, this one continues with it; any
 * other one that was is given up.
 * @param now for when it began, in epoch milliseconds
 * @throws CatalogueFileError, ListShrunkError if a file is not as it must be: nothing is left of the import
 * @throws ImportBusyError
 * @throws ImportUnfinishedError if it fails once the log has it
 */
export const importCatalogue = (
  db: Kysely<Schema>,
  request: ImportRequest,
  log: ImportLog,
  now: () => number,
): Promise<CatalogueImport> =>
  withImportLock(db, request.catalogue, async () => {
    const { catalogue, source, effectiveFrom = null } = request;
    const content = await stage(db, request, await resumed(db, request, log), now);
    await noteContent(db, content.id, content.hash);
    await log.announce({
      type: 'CatalogueImported',
      importId: content.id,
      catalogue,
      source,
      contentHash: content.hash,
      rows: content.rows,
      effectiveFrom,
    });
    return await finish(db, catalogue, content.id);
  });

/** The log contains it, so that it comes into force even if this process crashes. */
async function finish(db: Kysely<Schema>, catalogue: CatalogueKind, id: string): Promise<CatalogueImport> {
  try {
    await bringPendingIntoForce(db, catalogue);
    return await inForce(db).where('id', '=', id).executeTakeFirstOrThrow();
  } catch (error) {
    throw new ImportUnfinishedError(error as Error);
  }
}

/** An import is in the log, and it failed to come into force, or to have all assets that it touches scored again. */
export class ImportUnfinishedError extends Error {
  override name = 'ImportUnfinishedError';

  constructor(cause: Error) {
    super(`the import is in the log, and not finished: ${cause.message}`, { cause });
  }
}

/** The interrupted import to continue with. */
async function resumed(
  db: Kysely<Schema>,
  { catalogue, source }: ImportRequest,
  log: ImportLog,
): Promise<StagedImport | undefined> {
  const before = await stagedImports(db, catalogue);
  // Its event may be in the log, and it comes into force with it.
  if (before.some(({ contentHash }) => contentHash !== null)) await log.settled();
  await bringPendingIntoForce(db, catalogue);
  const left = await stagedImports(db, catalogue);
  const same = left.find((one) => one.source === source);
  await discardImports(
    db,
    left.filter((one) => one !== same).map(({ id }) => id),
  );
  return same;
}

const GIVEN_UP = [CatalogueFileError, ContentChangedError, ListShrunkError];

async function stage(
  db: Kysely<Schema>,
  request: ImportRequest,
  begun: StagedImport | undefined,
  now: () => number,
): Promise<{ id: string; rows: number; hash: string }> {
  const staged = begun ?? (await begin(db, request, now()));
  const { id } = staged;
  try {
    const read = await stageRows(db, staged, request.read(), request.onRead);
    if (!request.mayShrink) {
      await rejectShrunkList(db, id, request.catalogue, request.effectiveFrom);
    }
    return { id, ...read };
  } catch (error) {
    if (GIVEN_UP.some((kind) => error instanceof kind)) await discardImports(db, [id]);
    if (error instanceof ContentChangedError) return stage(db, request, undefined, now);
    throw error;
  }
}

async function begin(
  db: Kysely<Schema>,
  { catalogue, source }: ImportRequest,
  startedAt: number,
): Promise<StagedImport> {
  const id = randomUUID();
  await beginImport(db, { id, source, startedAt }, catalogue);
  return { id, source, startedAt, stagedRows: 0, stagedHash: null, contentHash: null };
}
