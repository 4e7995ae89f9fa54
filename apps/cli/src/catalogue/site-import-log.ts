import { randomUUID } from 'node:crypto';
import type { ImportLog } from '#libs/catalogue-store';
import { readClocks } from '#libs/clock';
import { encodeIntake, partitionOf } from '#libs/contracts';
import { actEnvelope, ORGANIZATION_KEY } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { readOrganization } from '#libs/projection';
import { failure } from '../cli-error.ts';
import { isFoldedTo } from '../is-folded-to.ts';
import type { Site } from '../site.ts';

/**
 * The log of a site as imports need it.
 * @throws CliError exit 1, from both calls, where nothing is folded for a minute
 */
export function siteImportLog({ database: { db }, log }: Site): ImportLog {
  const partition = partitionOf(ORGANIZATION_KEY, log.partitions);
  return {
    async settled() {
      const ends = await log.ends(INTAKE_TOPIC);
      if (await isFoldedTo(db, partition, ends[partition]!)) return;
      throw failure(
        'an earlier import is in the log, and nothing folds it: start the service, then try again',
      );
    },
    async announce(payload) {
      const envelope = actEnvelope({
        id: randomUUID(),
        entityKey: ORGANIZATION_KEY,
        ...(await readClocks(db)),
        settingsVersion: (await readOrganization(db)).settings.version,
        by: null,
      });
      const record = { key: ORGANIZATION_KEY, value: encodeIntake({ envelope, payload }) };
      const [position] = await log.append(INTAKE_TOPIC, [record]);
      if (await isFoldedTo(db, position!.partition, position!.offset + 1)) return;
      throw failure(
        'the import is in the log, and nothing folds it: it comes into force once the service runs',
      );
    },
  };
}
