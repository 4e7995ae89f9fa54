import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { type EntityType, entityKey, isoTime, isoTimeOrNull } from '#libs/domain';
import { personName, sealedKey, tokenUser } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { ActsService } from '../acts/acts.service.ts';
import { PendingAct } from '../acts/pending-act.ts';
import type { Caller } from '../auth/caller.ts';
import { UnavailableException } from '../http/http-errors.ts';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import type { EraseDto, ErasedDto, ErasureDto, Subject as GivenSubject, SubjectType } from './erasure.dto.ts';
import { type ErasureRow, ErasuresRepository } from './erasures.repository.ts';
import { KeyDestroyer } from './key-destroyer.ts';

/** A subject that exists, or did. */
interface Subject {
  id: string;
  /** Of its entity key in the log; that of a person is as of a user. */
  entityType: EntityType;
  /** Subjects of another kind with the same name. */
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
   * @throws KeysUnavailableError: nothing was stored; UnavailableException if only the key could not be destroyed
   */
  async erase({ subject: given, reason }: EraseDto, caller: Caller): Promise<ErasedDto | PendingAct> {
    const { id, entityType, sameName } = await this.find(given);
    const erased = (await this.keys.destroyedAt([id])).get(id);
    if (erased === undefined) throw unknownSubject(given);
    if (erased === null) {
      await this.assertNoCredential(id);
      const pending = await this.append(sealedKey(id, entityType), id, reason, caller);
      if (pending) return pending;
      await this.destroy(id);
    }
    const destroyed = (await this.keys.destroyedAt([id])).get(id);
    const erasure = viewOf(id, await this.erasures.first(id), destroyed);
    return { ...erasure, erasedValues: await this.erasures.sealedTexts(id), sameName };
  }

  private async find(given: GivenSubject): Promise<Subject> {
    if (given.id !== undefined) {
      return { id: given.id, entityType: await this.erasures.entityType(given.id), sameName: [] };
    }
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

  /** Its name is needed to sign in: a person who can sign in is not forgotten. */
  private async assertNoCredential(id: string): Promise<void> {
    const usernames = await this.erasures.credentialNames();
    const persons = await this.keys.identify(usernames.map(personName));
    const username = usernames.find((name) => persons.get(personName(name)) === id);
    if (username === undefined) return;
    throw new ConflictException(
      username.startsWith(tokenUser(''))
        ? `the subject is the API token ${username}: revoke the token first`
        : `the subject has the credential ${username}: delete the credential first`,
    );
  }

  /** Once: an erasure that was interrupted after its event continues after it. */
  private async append(key: string, id: string, reason: string, caller: Caller): Promise<PendingAct | null> {
    if (await this.erasures.first(id)) return null;
    const payload = { type: 'SubjectErased', subject: id, reason } as const;
    const { isFolded, position } = await this.acts.performOne({ entityKey: key, payload }, caller);
    return isFolded ? null : new PendingAct(position);
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
