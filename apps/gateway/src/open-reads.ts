import { type Database, openReadReplica, type ReplicaState } from '#libs/database';
import type { Program } from '#libs/program';
import { databaseReads } from '#libs/telemetry';

const MESSAGES: Record<ReplicaState, string> = {
  'in-use': 'the read replica is in use again',
  behind: 'the read replica is behind: the primary answers until it has caught up',
  away: 'the read replica cannot be used: the primary answers',
};

/** The database for lists, counts, exports and states as of an instant: the replica of DATABASE_READ_URL if it is set. */
export function openReads({ config, database, logger, resources }: Program): Database['db'] {
  if (config.databaseReadUrl === undefined) return database.db;
  const replica = openReadReplica(config.databaseReadUrl, database, {
    onState: (state, cause) =>
      state === 'in-use' ? logger.info(MESSAGES[state]) : logger.warn({ err: cause }, MESSAGES[state]),
    onRead: (server) => databaseReads.inc({ server }),
  });
  return resources.add(replica, (opened) => opened.close()).db;
}
