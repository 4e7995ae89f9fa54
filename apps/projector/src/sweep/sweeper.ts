import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { DATABASE, type Schema } from '#libs/database';
import { type AssetRetyped, DAY_MS, type EntitySwept, type Organization } from '#libs/domain';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { actRecord, INTAKE_TOPIC } from '#libs/intake';
import { readOrganization } from '#libs/tables';
import { dueEntities, idleEntities } from './due-entities.ts';
import {
  assetSequence,
  nextAssets,
  nextReturned,
  noteReturnsChecked,
  returnsCheckedTo,
  retypingsOf,
} from './retyping.ts';

/** Limit of the ticks that a round appends to a partition, and of the assets that it reads. The next round continues. */
const EVENTS_MAX = 1_000;

/** Result of a round over a partition. */
export interface SweepRound {
  /** Events. */
  appended: number;
  /** Something was left for the next round. */
  isCut: boolean;
}

const NOTHING: SweepRound = { appended: 0, isCut: false };

/** A mapping that is not yet applied to all assets of a partition. Another process begins again: that changes nothing. */
interface Retyping {
  version: number;
  /**
   * Assets that return after this sequence of the history are checked at the end. Null: the log may contain earlier
   * retypings that are not folded.
   */
  returnsAfter: number | null;
  afterAssetNo: number;
}

interface Tick {
  entityKey: string;
  payload: EntitySwept | AssetRetyped;
}

/**
 * Appends events for changes by time only: findings that expired, assets without data, and
 * assets that a new mapping types differently. The projector that folds a partition sweeps it, and appends nothing more
 * before that is folded (R-EXP-7).
 */
@Injectable()
export class Sweeper {
  private readonly logger = new Logger(Sweeper.name);
  /** Partition → the offset that the fold is to reach before the next round. */
  private readonly awaited = new Map<number, number>();
  /** By partition. */
  private readonly retypings = new Map<number, Retyping>();

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
  ) {}

  /** One round over a partition; returns its result, or why it may not begin: the fold, or the clocks. */
  async sweep(partition: number): Promise<SweepRound | 'waiting'> {
    if (this.clock.distrust) return 'waiting';
    if ((this.awaited.get(partition) ?? 0) > (await this.foldedTo(partition))) return 'waiting';
    const organization = await readOrganization(this.db);
    // First, so that assets that a tick then deletes are not changed again after their deletion.
    const retyped = await this.retype(partition, organization);
    const ticks = await this.swept(partition, organization);
    const appended = await this.append(partition, ticks, organization);
    return {
      appended: retyped.appended + appended,
      isCut: retyped.isCut || appended >= EVENTS_MAX,
    };
  }

  private async swept(partition: number, { settings }: Organization): Promise<Tick[]> {
    const now = this.clock.now();
    const due = await dueEntities(this.db, partition, now, EVENTS_MAX);
    const deleteIdleSince = settings.deleteAssetsWithoutData ? now - settings.retentionDays * DAY_MS : null;
    const idle =
      deleteIdleSince === null ? [] : await idleEntities(this.db, partition, deleteIdleSince, EVENTS_MAX);
    const keys = [...new Set([...due, ...idle])];
    return keys.map((entityKey) => ({ entityKey, payload: { type: 'EntitySwept', deleteIdleSince } }));
  }

  private async retype(partition: number, organization: Organization): Promise<SweepRound> {
    const { mappingVersion } = organization;
    if (mappingVersion === 0) return NOTHING;
    const returnsAfter = await returnsCheckedTo(this.db, partition, mappingVersion);
    if (returnsAfter !== null) return this.retypeReturned(partition, organization, returnsAfter);
    const retyping = this.retypings.get(partition);
    if (retyping?.version !== mappingVersion) {
      // Not in the round that sees it first: a gateway may type by the one before for a second.
      this.retypings.set(partition, { version: mappingVersion, returnsAfter: null, afterAssetNo: 0 });
      return NOTHING;
    }
    if (retyping.returnsAfter === null) {
      // Events on the log may be typed by the previous mapping: an asset that it creates must not appear after the last
      // check.
      this.awaited.set(partition, (await this.log.ends(INTAKE_TOPIC))[partition]!);
      retyping.returnsAfter = await assetSequence(this.db, partition);
      return { appended: 0, isCut: true };
    }
    const { assets, after, isLast } = await nextAssets(this.db, partition, retyping.afterAssetNo, EVENTS_MAX);
    const appended = await this.appendRetyped(partition, assets, organization);
    retyping.afterAssetNo = after;
    // A crash before this line appends them again, which changes nothing.
    if (isLast) await noteReturnsChecked(this.db, partition, mappingVersion, retyping.returnsAfter);
    return { appended, isCut: !isLast };
  }

  /** Deleted assets keep their type until they return, also by a signal without an operating system (R-ASSET-11). */
  private async retypeReturned(
    partition: number,
    organization: Organization,
    returnsAfter: number,
  ): Promise<SweepRound> {
    const { assets, after, isLast } = await nextReturned(this.db, partition, returnsAfter, EVENTS_MAX);
    if (after === returnsAfter) return NOTHING;
    const appended = await this.appendRetyped(partition, assets, organization);
    await noteReturnsChecked(this.db, partition, organization.mappingVersion, after);
    return { appended, isCut: !isLast };
  }

  private async appendRetyped(
    partition: number,
    assets: Parameters<typeof retypingsOf>[1],
    organization: Organization,
  ): Promise<number> {
    const ticks = await retypingsOf(this.db, assets, organization.settings.osMapping);
    return this.append(partition, ticks, organization);
  }

  private async append(partition: number, ticks: Tick[], { settings }: Organization): Promise<number> {
    if (ticks.length === 0) return 0;
    const reading = this.clock.read();
    const positions = await this.log.append(
      INTAKE_TOPIC,
      ticks.map(({ entityKey, payload }) =>
        actRecord({ entityKey, ...reading, settingsVersion: settings.version, by: null }, payload),
      ),
    );
    this.awaited.set(partition, Math.max(...positions.map(({ offset }) => offset)) + 1);
    this.logger.log(`partition ${partition}: sweep appended ${ticks.length} events`);
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
