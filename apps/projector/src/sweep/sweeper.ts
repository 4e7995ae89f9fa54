import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { encodeIntake } from '#libs/contracts';
import { DATABASE, type Schema } from '#libs/database';
import { type AssetRetyped, actEnvelope, DAY_MS, type EntitySwept, type Organization } from '#libs/domain';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { readOrganization } from '#libs/projection';
import { dueEntities, idleEntities } from './due-entities.ts';
import { nextMistyped, noteRetyped, retypedTo } from './retyping.ts';

/** Events that one round appends to a partition; the next round goes on. */
export const EVENTS_MAX = 1_000;

interface Tick {
  entityKey: string;
  payload: EntitySwept | AssetRetyped;
}

/**
 * What happens without anybody's doing, as events of the log: findings that fell due, assets without data (D14, D15), and
 * assets that a new mapping types otherwise (D5). Whoever folds a partition sweeps it, and appends nothing more to it
 * before that is folded.
 */
@Injectable()
export class Sweeper {
  private readonly logger = new Logger(Sweeper.name);
  /** Partition → the offset behind what was appended last. */
  private readonly appendedTo = new Map<number, number>();
  /** Partition → version of the mapping that the last round saw. */
  private readonly mappings = new Map<number, number>();

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** One round over a partition; answers how many events it appended, or that those of the last one are not folded. */
  async sweep(partition: number): Promise<number | 'waiting'> {
    if ((this.appendedTo.get(partition) ?? 0) > (await this.foldedTo(partition))) return 'waiting';
    const organization = await readOrganization(this.db);
    // First, so that what a tick then deletes is not changed once more after its deletion.
    const retyped = await this.retype(partition, organization);
    const ticks = await this.swept(partition, organization);
    return retyped + (await this.append(partition, ticks, organization));
  }

  private async swept(partition: number, { settings }: Organization): Promise<Tick[]> {
    const now = this.now();
    const due = await dueEntities(this.db, partition, now, EVENTS_MAX);
    const deleteIdleSince = settings.deleteAssetsWithoutData ? now - settings.retentionDays * DAY_MS : null;
    const idle =
      deleteIdleSince === null ? [] : await idleEntities(this.db, partition, deleteIdleSince, EVENTS_MAX);
    const keys = [...new Set([...due, ...idle])];
    return keys.map((entityKey) => ({ entityKey, payload: { type: 'EntitySwept', deleteIdleSince } }));
  }

  private async retype(partition: number, organization: Organization): Promise<number> {
    const { mappingVersion, settings } = organization;
    // Not in the round that sees it first: a gateway may type by the one before for a second.
    const isNew = this.mappings.get(partition) !== mappingVersion;
    this.mappings.set(partition, mappingVersion);
    if (mappingVersion === 0 || isNew) return 0;
    const after = await retypedTo(this.db, partition, mappingVersion);
    if (after === null) return 0;
    const { mistyped, lastAssetNo } = await nextMistyped(this.db, partition, settings, after, EVENTS_MAX);
    const ticks = mistyped.map(
      ({ entityKey, assetId, typing }): Tick => ({
        entityKey,
        payload: { type: 'AssetRetyped', assetId, typing },
      }),
    );
    const appended = await this.append(partition, ticks, organization);
    // A crash before this line appends them again, which changes nothing.
    await noteRetyped(this.db, partition, mappingVersion, lastAssetNo);
    return appended;
  }

  private async append(partition: number, ticks: Tick[], { settings }: Organization): Promise<number> {
    if (ticks.length === 0) return 0;
    const at = this.now();
    const positions = await this.log.append(
      INTAKE_TOPIC,
      ticks.map(({ entityKey, payload }) => ({
        key: entityKey,
        value: encodeIntake({
          envelope: actEnvelope({
            id: randomUUID(),
            entityKey,
            at,
            settingsVersion: settings.version,
            by: null,
          }),
          payload,
        }),
      })),
    );
    this.appendedTo.set(partition, Math.max(...positions.map(({ offset }) => offset)) + 1);
    this.logger.log(`partition ${partition}: ${ticks.length} events of the sweep`);
    return ticks.length;
  }

  private async foldedTo(partition: number): Promise<number> {
    const row = await this.db
      .selectFrom('projection_positions')
      .select('next_offset')
      .where('partition', '=', partition)
      .executeTakeFirst();
    return row?.next_offset ?? 0;
  }
}
