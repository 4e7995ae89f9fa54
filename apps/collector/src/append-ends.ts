import type { Kysely } from 'kysely';
import type { TrustedClock } from '#libs/clock';
import type { Schema } from '#libs/database';
import type { EdrManagementEnded, Settings, StatementEnded } from '#libs/domain';
import type { EventLog } from '#libs/event-log';
import { actRecord, INTAKE_TOPIC } from '#libs/intake';
import type { EventSealer } from '#libs/sealing';

/** Events of an append. */
const EVENTS_MAX = 500;

export interface Site {
  db: Kysely<Schema>;
  log: EventLog;
  trustedClock: Pick<TrustedClock, 'read'>;
  sealer: EventSealer;
}

/** What no source says of an asset any more. */
export interface End {
  entityKey: string;
  payload: EdrManagementEnded | StatementEnded;
}

/**
 * @param syncId null if a user has removed the integration
 * @throws LogUnavailableError, ClockError
 */
export async function appendEnds(
  { log, trustedClock }: Pick<Site, 'log' | 'trustedClock'>,
  ends: readonly End[],
  { version: settingsVersion }: Settings,
  syncId: string | null,
): Promise<void> {
  for (let from = 0; from < ends.length; from += EVENTS_MAX) {
    const reading = trustedClock.read();
    await log.append(
      INTAKE_TOPIC,
      ends
        .slice(from, from + EVENTS_MAX)
        .map(({ entityKey, payload }) =>
          actRecord({ entityKey, ...reading, settingsVersion, by: null, syncId }, payload),
        ),
    );
  }
}
