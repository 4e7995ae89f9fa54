import type { Kysely } from 'kysely';
import type { TrustedClock } from '#libs/clock';
import type { Schema } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { actRecord, INTAKE_TOPIC } from '#libs/intake';
import { readOrganization } from '#libs/tables';
import type { LinkTicket } from '#libs/webhooks';

/**
 * Attaches tickets to findings, as acts of the service. A finding that has the link is not changed, so an act can be
 * repeated.
 */
export const ticketLinks =
  (db: Kysely<Schema>, log: Pick<EventLog, 'append'>, trustedClock: Pick<TrustedClock, 'read'>): LinkTicket =>
  async ({ id, entityKey }, link) => {
    const { settings } = await readOrganization(db);
    const origin = {
      entityKey,
      ...trustedClock.read(),
      settingsVersion: settings.version,
      by: null,
    };
    const act = { findingId: id, seenVersion: null, attach: [link], detach: [] };
    await log.append(INTAKE_TOPIC, [actRecord(origin, { type: 'FindingTicketsChanged', ...act })]);
  };
