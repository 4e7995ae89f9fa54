import type { ImportLog } from '#libs/catalogue-store';
import { readClocks } from '#libs/clock';
import { partitionOf } from '#libs/contracts';
import { ORGANIZATION_KEY } from '#libs/domain';
import { actRecord, INTAKE_TOPIC } from '#libs/intake';
import { readOrganization } from '#libs/tables';
import { failure } from '../cli-error.ts';
import { isFoldedTo } from '../is-folded-to.ts';
import type { Site } from '../site.ts';

/**
 * The log of a site as imports need it.
 * @throws CliError exit 1, from both calls, if nothing is folded for a minute
 */
export function siteImportLog({ database: { db }, log }: Site): ImportLog {
  const partition = partitionOf(ORGANIZATION_KEY, log.partitions);
  return {
    async settled() {
      const ends = await log.ends(INTAKE_TOPIC);
      if (await isFoldedTo(db, partition, ends[partition]!)) return;
      throw failure(
        'an earlier import is in the log, and no projector processes it: start the service, then try again',
      );
    },
    async announce(payload) {
      const origin = {
        entityKey: ORGANIZATION_KEY,
        ...(await readClocks(db)),
        settingsVersion: (await readOrganization(db)).settings.version,
        by: null,
      };
      const record = actRecord(origin, payload);
      const [position] = await log.append(INTAKE_TOPIC, [record]);
      if (await isFoldedTo(db, position!.partition, position!.offset + 1)) return;
      throw failure(
        'the import is in the log, and no projector processes it: it takes effect when the service runs',
      );
    },
  };
}
