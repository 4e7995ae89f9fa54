import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { type EntityType, entityKey, isoTime, isoTimeOrNull } from '#libs/domain';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { personName, sealedKey, tokenUser } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { ActsService } from '../acts/acts.service.ts';
import { PendingAct } from '../acts/pending-act.ts';
import type { Caller } from '../auth/caller.ts';
import { UnavailableException } from '../http/http-errors.ts';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import { ProjectionPositions } from '../projection/projection-positions.repository.ts';
import { ProjectionWaiter } from '../projection/projection-waiter.ts';
import type { EraseDto, ErasedDto, ErasureDto, Subject as GivenSubject, SubjectType } from './erasure.dto.ts';
import { type ErasureRow, ErasuresRepository } from './erasures.repository.ts';
import { KeyDestroyer } from './key-destroyer.ts';

/** How long an erasure by id waits for the fold of what is in the log. */
const FOLD_SECONDS = 3;

/** A subject that exists, or did. */
interface Subject {
  id: string;
  /** Of its entity key in the log; that of a person is as of a user. Undefined if the subject was named by its id. */
  entityType?: EntityType;
  /** Subjects of another kind with the same name; empty if the subject was named by its id. */
  sameName: string[];
}

/** Erases subjects: the event first, then what no event contains (ADR-0088). Each step can be repeated. */
@Injectable()
export class ErasuresService {
  constructor(
    private readonly destroyer: KeyDestroyer,
    private readonly erasures: ErasuresRepository,
    private readonly keys: SubjectKeys,
    private readonly acts: ActsService,
    private readonly projections: ProjectionPositions,
    private readonly waiter: ProjectionWaiter,
    @Inject(EVENT_LOG) private readonly log: EventLog,
  ) {}

  async list({ limit, cursor }: PageQuery): Promise<Page<ErasureDto>> {
    const before = decodeKeys(cursor, 'time', 'number', 'number');
    const rows = await this.erasures.list(before, limit + 1);
    const destroyed = await this.keys.destroyedAt(rows.map(({ subject }) => subject));
    const keysOf = ({ at, partition, logOffset }: ErasureRow) => [at, partition, logOffset];
    return pageFrom(rows, limit, keysOf, (row) => viewOf(row.subject, row, destroyed.get(row.subject)));
  }

  /**
   * @throws NotFoundException if the subject is unknown; ConflictException if it has a credential
   * @throws KeysUnavailableError: nothing was stored; UnavailableException if only the key could not be destroyed, or
   *   the entity of an id is not folded yet
   */
  async erase({ subject: given, reason }: EraseDto, caller: Caller): Promise<ErasedDto | PendingAct> {
    const subject = await this.find(given);
    const { id, sameName } = subject;
    const erased = (await this.keys.destroyedAt([id])).get(id);
    if (erased === undefined) throw unknownSubject(given);
    if (erased === null) {
      await this.assertNoCredential(id);
      const pending = await this.append(subject, reason, caller);
      if (pending) return pending;
      await this.destroy(id);
    }
    const destroyed = (await this.keys.destroyedAt([id])).get(id);
    return {
      ...viewOf(id, await this.erasures.first(id), destroyed),
      erasedValues: await this.erasures.sealedTexts(id),
      sameName: [...sameName, ...(await this.otherTokenNames(id))],
    };
  }

  private async find(given: GivenSubject): Promise<Subject> {
    if (given.id !== undefined) return { id: given.id, sameName: [] };
    const names = namesOf(given.name!);
    const found = await this.keys.identify(Object.values(names));
    const wanted = names[given.type!];
    const id = found.get(wanted);
    if (id === undefined) throw unknownSubject(given);
    const entityType = given.type === 'machine' ? 'machine' : 'user';
    return {
      id,
      entityType,
      sameName: Object.values(names).filter((name) => name !== wanted && found.has(name)),
    };
  }

  /** Each name of an API token is a subject of its own. The names are sealed, and the answer opens them. */
  private async otherTokenNames(id: string): Promise<string[]> {
    const names = await this.erasures.tokenNames(id);
    const destroyed = await this.keys.destroyedAt([...names.keys()]);
    return [...names].flatMap(([other, name]) =>
      other !== id && destroyed.get(other) === null ? [personName(tokenUser(name))] : [],
    );
  }

  /** Its name is needed to sign in: a person who can sign in is not forgotten. */
  private async assertNoCredential(id: string): Promise<void> {
    const usernames = await this.erasures.credentialNames();
    const persons = await this.keys.identify(usernames.map(personName));
    const username = usernames.find((name) => persons.get(personName(name)) === id);
    if (username !== undefined) {
      throw new ConflictException(
        username.startsWith(tokenUser(''))
          ? `the subject is the API token ${username}: revoke the token first`
          : `the subject has the credential ${username}: delete the credential first`,
      );
    }
    const token = await this.erasures.renamedToken(id);
    if (token === undefined) return;
    throw new ConflictException(
      `the subject is a former name of the API token ${tokenUser(token)}: revoke the token first`,
    );
  }

  /** Once: an erasure that was interrupted after its event continues after it. */
  private async append(
    { id, entityType }: Subject,
    reason: string,
    caller: Caller,
  ): Promise<PendingAct | null> {
    if (await this.erasures.first(id)) return null;
    const entityKey = sealedKey(id, entityType ?? (await this.entityTypeOf(id, caller)));
    const payload = { type: 'SubjectErased', subject: id, reason } as const;
    const { isFolded, position } = await this.acts.performOne({ entityKey, payload }, caller);
    return isFolded ? null : new PendingAct(position);
  }

  /**
   * Of a subject that is known by its id alone. Without an asset it is a person, once everything in the log is folded:
   * before, it may be a machine whose first event is not folded yet.
   * @throws UnavailableException in the latter case; nothing was stored
   */
  private async entityTypeOf(id: string, { access }: Caller): Promise<EntityType> {
    const known = await this.erasures.entityType(id);
    if (known) return known;
    const ends = await this.log.ends(INTAKE_TOPIC);
    const last = new Map(ends.map((end, partition) => [partition, end - 1]));
    await this.waiter.wait(last, FOLD_SECONDS, access.signal);
    const folded = await this.projections.read();
    if (ends.some((end, partition) => (folded.get(partition) ?? 0) < end)) {
      throw new UnavailableException(
        'no data was stored: the log is not folded yet, so the kind of the subject is unknown. Retry later, or name the subject by type and name',
      );
    }
    return (await this.erasures.entityType(id)) ?? 'user';
  }

  private async destroy(id: string): Promise<void> {
    try {
      await this.destroyer.destroy([id]);
    } catch {
      throw new UnavailableException(
        'the erasure is stored in the log, but the key of the subject is not destroyed yet: the service repeats it, and you can repeat the request',
      );
    }
  }
}

/** By the type of the subject. */
const namesOf = (name: string): Record<SubjectType, string> => ({
  user: entityKey('user', name),
  machine: entityKey('machine', name),
  person: personName(name),
});

const unknownSubject = ({ type, name, id }: GivenSubject) =>
  new NotFoundException(
    `no subject has the ${id === undefined ? `type ${type} and the name ${name}` : `id ${id}`}: an erased subject is known only by its id (GET /api/v3/erasures)`,
  );

const viewOf = (
  id: string,
  row: ErasureRow | undefined,
  destroyedAt: number | null | undefined,
): ErasureDto => ({
  id,
  state: destroyedAt ? 'erased' : 'pending',
  at: row ? isoTime(row.at) : null,
  by: row?.by ?? null,
  reason: row?.reason ?? null,
  keyDestroyedAt: isoTimeOrNull(destroyedAt ?? null),
});
