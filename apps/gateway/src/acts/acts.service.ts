import { randomUUID } from 'node:crypto';
import { ConflictException, type HttpException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { encodeIntake } from '#libs/contracts';
import { actEnvelope, type IntakePayload, type Reading, type Refusal } from '#libs/domain';
import { EVENT_LOG, type EventLog, type Position } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import type { Caller } from '../auth/caller.ts';
import { ProjectionWaiter } from '../signals/projection-waiter.ts';
import type { SettingsSource } from '../signals/settings-source.ts';
import { SETTINGS } from '../tokens.ts';
import { ActsRepository } from './acts.repository.ts';

/** Rule 6: not folded by then, a request answers 202 with the position. */
const FOLD_SECONDS = 10;
const APPENDED_AT_ONCE = 500;

/** Something that a user does to an entity. */
export interface UserAct {
  entityKey: string;
  payload: IntakePayload;
}

/** What became of an act: folded, refused by the fold, or in the log and not folded yet. */
export interface ActOutcome {
  position: Position;
  isFolded: boolean;
  refused: Refusal | null;
}

/** Puts acts of users on the log and waits until they are folded (design "Events and the fold", rule 6). */
@Injectable()
export class ActsService {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    private readonly waiter: ProjectionWaiter,
    private readonly acts: ActsRepository,
  ) {}

  /**
   * Acts, in order within each entity; resolves when all are folded, after 10 s, or when the caller's access ends.
   * @throws LogUnavailableError where not all are known to be stored; repeating is harmless
   */
  async perform(acts: UserAct[], caller: Caller): Promise<ActOutcome[]> {
    const positions = await this.append(acts, caller);
    const reached = new Map<number, number>();
    for (const { partition, offset } of positions) {
      reached.set(partition, Math.max(offset, reached.get(partition) ?? 0));
    }
    await this.waiter.wait(reached, FOLD_SECONDS, caller.access.signal);
    const outcomes = await this.acts.outcomesAt(positions);
    const refusals = new Map(outcomes.map((one) => [`${one.partition}/${one.logOffset}`, one.refused]));
    return positions.map((position) => {
      const refused = refusals.get(`${position.partition}/${position.offset}`);
      return { position, isFolded: refused !== undefined, refused: refused ?? null };
    });
  }

  /**
   * One act.
   * @throws NotFoundException, ConflictException where the fold refused it, with what to do
   */
  async performOne(act: UserAct, caller: Caller): Promise<ActOutcome> {
    const [outcome] = await this.perform([act], caller);
    if (outcome!.refused !== null) throw refusedAct(outcome!.refused);
    return outcome!;
  }

  /**
   * Puts acts on the log without waiting for the fold; answers where they are.
   * @throws ClockError where none is appended
   * @throws LogUnavailableError where not all are known to be stored
   */
  async append(acts: UserAct[], caller: Caller): Promise<Position[]> {
    const positions: Position[] = [];
    const reading = this.clock.read();
    for (let i = 0; i < acts.length; i += APPENDED_AT_ONCE) {
      const records = acts
        .slice(i, i + APPENDED_AT_ONCE)
        .map((act) => ({ key: act.entityKey, value: this.encode(act, caller, reading) }));
      positions.push(...(await this.log.append(INTAKE_TOPIC, records)));
    }
    return positions;
  }

  private encode({ entityKey, payload }: UserAct, { user, requestId }: Caller, reading: Reading): Buffer {
    const { version: settingsVersion } = this.settings();
    const by = { user, requestId };
    return encodeIntake({
      envelope: actEnvelope({ id: randomUUID(), entityKey, ...reading, settingsVersion, by }),
      payload,
    });
  }
}

const SENTENCES: Record<Exclude<Refusal, 'unknown'>, string> = {
  stale: 'it was changed by somebody else since `version`: read it again, then decide anew',
  notFailed: 'only a Failed finding can be accepted: read its state, it may have changed meanwhile',
  notAccepted: 'only an Accepted Failed finding, or one that is held Failed, can be reverted',
  nameTaken: 'another one has this name: choose another name, or change that one',
  isDefault: 'it is the default: make another one the default first',
  notAhead: 'the clock of the partition is not ahead any more',
  clockAhead: 'it was stamped by a clock that is far ahead: correct the clock of the gateway, then repeat it',
};

/** What the waiting request answers (rule 6): 404 for what is not there, 409 for what has changed. */
export const refusedAct = (refused: Refusal): HttpException =>
  refused === 'unknown'
    ? new NotFoundException('there is no such thing any more')
    : new ConflictException(SENTENCES[refused]);
