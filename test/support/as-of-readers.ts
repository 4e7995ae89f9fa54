import { encodeIntake } from '#libs/contracts';
import type { OwnerRule, Sla } from '#libs/domain';
import { Projection } from '#libs/projection';
import type { SubjectKeys } from '#libs/subject-keys';
import { AssetCountsRepository } from '../../apps/gateway/src/assets/asset-counts.repository.ts';
import { AssetCounts } from '../../apps/gateway/src/assets/asset-counts.service.ts';
import { AssetsRepository } from '../../apps/gateway/src/assets/assets.repository.ts';
import { AssetsService } from '../../apps/gateway/src/assets/assets.service.ts';
import { AssetsAsOfRepository } from '../../apps/gateway/src/assets/assets-as-of.repository.ts';
import { CataloguesRepository } from '../../apps/gateway/src/findings/catalogues.repository.ts';
import { DecisionsRepository } from '../../apps/gateway/src/findings/decisions.repository.ts';
import { FindingCountsRepository } from '../../apps/gateway/src/findings/finding-counts.repository.ts';
import { FindingCounts } from '../../apps/gateway/src/findings/finding-counts.service.ts';
import { FindingGroupsRepository } from '../../apps/gateway/src/findings/finding-groups.repository.ts';
import { FindingGroups } from '../../apps/gateway/src/findings/finding-groups.service.ts';
import { FindingTotalsRepository } from '../../apps/gateway/src/findings/finding-totals.repository.ts';
import { FindingsRepository } from '../../apps/gateway/src/findings/findings.repository.ts';
import { FindingsService } from '../../apps/gateway/src/findings/findings.service.ts';
import { FindingsAsOfRepository } from '../../apps/gateway/src/findings/findings-as-of.repository.ts';
import type { SettingsAtRepository } from '../../apps/gateway/src/findings/settings-at.repository.ts';
import { StoredFilters } from '../../apps/gateway/src/findings/stored-filters.ts';
import { PastReads, UNHURRIED } from '../../apps/gateway/src/paging/past-reads.ts';
import { ChangedFindingsOfUploads } from '../../apps/gateway/src/uploads/changed-findings.service.ts';
import { UploadChangesRepository } from '../../apps/gateway/src/uploads/upload-changes.repository.ts';
import type { TestDatabase } from './database.ts';
import { emptyFolded } from './folded-rows.ts';
import type { LoggedEvent } from './histories.ts';
import { NOTHING_SEALED } from './subject-keys-in-memory.ts';

export { UNHURRIED };

const NO_KEYS = { find: async () => new Map() } as unknown as SubjectKeys;

export const SOME_SLA: Sla = {
  severity: { critical: 1, high: 2, medium: 3, low: 5 },
  ssvc: {},
  kev: null,
  exceptionsNeedEnd: false,
};

/** The services of the gateway on a database, at a time. @param given settings at each instant */
export function readersOf(
  { db }: Pick<TestDatabase, 'db'>,
  now: number,
  given: { sla?: Sla; ownerRules?: OwnerRule[] } = {},
) {
  const inForce = { sla: null, ownerRules: [], ...given };
  const settings = { at: async () => inForce } as unknown as SettingsAtRepository;
  const clock = () => now;
  const pastReads = new PastReads();
  const filters = new StoredFilters(
    NO_KEYS,
    new ChangedFindingsOfUploads(db, new UploadChangesRepository(db)),
  );
  const catalogues = new CataloguesRepository(db, db);
  const findings = new FindingsService(
    new FindingsRepository(db, db, NOTHING_SEALED),
    new FindingsAsOfRepository(db),
    catalogues,
    new DecisionsRepository(db),
    filters,
    settings,
    pastReads,
    clock,
  );
  const assets = new AssetsService(
    new AssetsRepository(db, db),
    new AssetsAsOfRepository(db),
    findings,
    settings,
    pastReads,
    clock,
  );
  const findingCounts = new FindingCounts(
    new FindingTotalsRepository(db),
    new FindingCountsRepository(db, db),
    new FindingsAsOfRepository(db),
    filters,
    settings,
    pastReads,
    clock,
  );
  const findingGroups = new FindingGroups(
    new FindingGroupsRepository(db, db),
    new FindingsAsOfRepository(db),
    findingCounts,
    filters,
    settings,
    catalogues,
    pastReads,
    clock,
  );
  const assetCounts = new AssetCounts(new AssetCountsRepository(db), pastReads, clock);
  return { findings, assets, findingCounts, findingGroups, assetCounts };
}

/** Empties a database of all that is folded, and folds events into it. */
export async function foldInto(database: TestDatabase, events: LoggedEvent[]): Promise<void> {
  await emptyFolded(database);
  await foldOn(database, events);
}

/** Folds the records of a log that the database does not have yet. */
export async function foldOn({ db }: Pick<TestDatabase, 'db'>, events: LoggedEvent[]): Promise<void> {
  const projection = new Projection(db);
  for (const partition of new Set(events.map((one) => one.partition))) {
    const records = events
      .filter((one) => one.partition === partition)
      .map(({ event }, offset) => ({
        partition,
        offset,
        key: event.envelope.entityKey,
        value: encodeIntake(event),
        headers: {},
        storedAt: event.envelope.at,
      }));
    for (let next = await projection.open(partition); next < records.length; ) {
      next = await projection.project(records.slice(next));
    }
  }
}
