import { ConflictException, type HttpException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import {
  FINDING_TAGS_MAX,
  FINDING_TICKETS_MAX,
  type IntakePayload,
  PLANS_MAX,
  type Refusal,
} from '#libs/domain';
import { EVENT_LOG, type EventLog, type Position } from '#libs/event-log';
import { actEvent, INTAKE_TOPIC, recordOf } from '#libs/intake';
import { EventSealer } from '#libs/sealing';
import type { Caller } from '../auth/caller.ts';
import { StaleException } from '../http/http-errors.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { ProjectionWaiter } from '../projection/projection-waiter.ts';
import { SETTINGS } from '../tokens.ts';
import { ActOrigins } from './act-origins.service.ts';
import { ActsRepository } from './acts.repository.ts';
import { NextActLook } from './next-act-look.ts';

/** After that the request answers 202 with the position (R-FOLD-6). */
const FOLD_SECONDS = 10;
const APPENDED_AT_ONCE = 500;

/** Something that a user does to an entity. */
export interface UserAct {
  entityKey: string;
  payload: IntakePayload;
}

/** Outcome of an act: folded, rejected by the fold, or in the log and not folded yet. */
export interface ActOutcome {
  position: Position;
  isFolded: boolean;
  refused: Refusal | null;
}

/** Appends users' acts to the log and waits for their fold (R-FOLD-6). */
@Injectable()
export class ActsService {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    private readonly waiter: ProjectionWaiter,
    private readonly acts: ActsRepository,
    private readonly sealer: EventSealer,
    private readonly origins: ActOrigins,
    private readonly nextLook: NextActLook,
  ) {}

  /**
   * Acts, in order within each entity; resolves when all are folded, after 10 s, or when the caller's access ends.
   * @throws LogUnavailableError if not all are known to be stored; repeating is harmless
   */
  async perform(acts: UserAct[], caller: Caller): Promise<ActOutcome[]> {
    const positions = await this.stored(acts, caller);
    const reached = new Map<number, number>();
    for (const { partition, offset } of positions) {
      reached.set(partition, Math.max(offset, reached.get(partition) ?? 0));
    }
    await this.waiter.wait(reached, FOLD_SECONDS, caller.access.signal);
    const outcomes = await this.acts.outcomesAt(positions);
    if (outcomes.length === positions.length) this.nextLook.wake();
    else this.nextLook.expectFold();
    const refusals = new Map(outcomes.map((one) => [`${one.partition}/${one.logOffset}`, one.refused]));
    return positions.map((position) => {
      const refused = refusals.get(`${position.partition}/${position.offset}`);
      return { position, isFolded: refused !== undefined, refused: refused ?? null };
    });
  }

  /**
   * One act.
   * @throws NotFoundException, ConflictException if the fold refused it, with what to do
   */
  async performOne(act: UserAct, caller: Caller): Promise<ActOutcome> {
    const [outcome] = await this.perform([act], caller);
    if (outcome!.refused !== null) throw refusedAct(outcome!.refused);
    return outcome!;
  }

  /**
   * Appends acts to the log without waiting for the fold; returns their positions.
   * @throws ClockError, KeysUnavailableError, AccessEndedException if none is appended
   * @throws LogUnavailableError if not all are known to be stored
   */
  async append(acts: UserAct[], caller: Caller): Promise<Position[]> {
    const positions = await this.stored(acts, caller);
    this.nextLook.expectFold();
    return positions;
  }

  private async stored(acts: UserAct[], caller: Caller): Promise<Position[]> {
    const { user, requestId } = caller;
    const positions: Position[] = [];
    const origin = { ...this.clock.read(), by: { user, requestId } };
    if (acts.length > 0) await this.origins.note(caller);
    caller.access.act();
    for (let i = 0; i < acts.length; i += APPENDED_AT_ONCE) {
      const events = acts
        .slice(i, i + APPENDED_AT_ONCE)
        .map(({ entityKey, payload }) =>
          actEvent({ ...origin, entityKey, settingsVersion: this.settings().version }, payload),
        );
      positions.push(
        ...(await this.log.append(INTAKE_TOPIC, (await this.sealer.seal(events)).map(recordOf))),
      );
    }
    return positions;
  }
}

/** Why the fold refused an act on something that exists, and what to do. */
const REFUSAL_SENTENCES: Record<Exclude<Refusal, 'unknown'>, string> = {
  stale: 'the object has changed since `version`: read it again and repeat the request',
  notFailed: 'only a Failed finding can be accepted: the state of this finding has changed',
  notAccepted: 'only an Accepted Failed finding or a finding that is held Failed can be reverted',
  tooMany: `the limit is reached: ${FINDING_TAGS_MAX} tags and ${FINDING_TICKETS_MAX} tickets of a finding, ${PLANS_MAX} plans: remove some first`,
  nameTaken: 'the name is already in use: choose another name',
  isDefault: 'the default cannot be removed or unset: set another default first',
  notAhead: 'the clock of the partition is no longer ahead',
  clockAhead: 'the clock of the gateway is too far ahead: correct it, then repeat the request',
};

/** The answer of the waiting request: 404 if the object does not exist, 409 if it has changed. */
function refusedAct(refused: Refusal): HttpException {
  if (refused === 'unknown') return new NotFoundException('the object no longer exists');
  const Refused = refused === 'stale' ? StaleException : ConflictException;
  return new Refused(REFUSAL_SENTENCES[refused]);
}
