import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { isoTime } from '#libs/domain';
import { EventSealer } from '#libs/sealing';
import { assertScope, ScopeMissingException } from '../auth/access.ts';
import type { ScopedCaller } from '../auth/caller.ts';
import type { Scope } from '../auth/scopes.ts';
import { assertSeenVersion } from '../http/seen-version.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { SavedViewsRepository, type ViewReader, type ViewRow } from './saved-views.repository.ts';
import {
  type AddViewDto,
  type ChangeViewDto,
  VIEWED_LISTS,
  type ViewDto,
  type ViewedList,
  type ViewsQuery,
} from './view.dto.ts';
import { checkedViewQuery } from './view-query.ts';

const VIEWS_MAX = 50;

/** The person that asks, with its scopes. */
type ViewCaller = Pick<ScopedCaller, 'credentialId' | 'user' | 'scopes'>;

/** Saved views of lists. Name and query are texts of their owner, and sealed as such (ADR-0121). */
@Injectable()
export class SavedViewsService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    private readonly views: SavedViewsRepository,
    private readonly sealer: EventSealer,
  ) {}

  async list({ limit, cursor, list }: ViewsQuery, caller: ViewCaller): Promise<Page<ViewDto>> {
    const after = decodeKeys(cursor, 'time', 'uuid');
    const { personId, lists } = readerOf(caller);
    const wanted = { personId, lists: lists.filter((one) => list === undefined || one === list) };
    const rows = await this.views.list(wanted, after, limit + 1);
    return pageFrom(
      rows,
      limit,
      ({ createdAt, id }) => [createdAt, id],
      (row) => viewOf(row, caller),
    );
  }

  /** @throws NotFoundException; also if another person owns the view and does not share it */
  async get(id: string, caller: ViewCaller): Promise<ViewDto> {
    return viewOf(found(await this.views.find(id, readerOf(caller)), id), caller);
  }

  /**
   * @throws BadRequestException that names the parameter of the query; ForbiddenException if the caller may not read the
   * list, or not share; ConflictException if the name is taken, or the caller has 50 views
   */
  async add(given: AddViewDto, caller: ViewCaller): Promise<ViewDto> {
    const { list, shared = false } = given;
    assertMayRead(list, caller);
    if (shared) assertMayShare(caller);
    const query = await checkedViewQuery(list, given.query);
    const { credentialId: personId, user } = caller;
    const [now, isDefault] = [this.now(), given.default ?? false];
    const row: ViewRow = {
      ...{ id: randomUUID(), ownerId: personId, list, isShared: shared, isDefault, version: 1 },
      ...{ createdAt: now, updatedAt: now },
      owner: await this.sealer.personal(user),
      name: await this.sealer.personal(user, given.name),
      query: await this.sealer.personal(user, query),
    };
    await this.db.transaction().execute(async (trx) => {
      const views = new SavedViewsRepository(trx);
      await views.lockPerson(personId);
      if ((await views.count(personId)) >= VIEWS_MAX) {
        throw new ConflictException(`the limit of ${VIEWS_MAX} views is reached: remove a view first`);
      }
      if (!(await views.add(row))) throw nameTaken(given.name);
      if (isDefault) await views.setDefault(personId, row);
    });
    return viewOf(row, caller);
  }

  /**
   * Only its owner changes a view; everyone who sees it can make it their default.
   * @throws as `add`; NotFoundException; ConflictException if it has changed since `version`
   */
  async change(id: string, { version, ...given }: ChangeViewDto, caller: ViewCaller): Promise<ViewDto> {
    if (Object.values(given).every((value) => value === undefined)) {
      throw new BadRequestException('the body must contain name, query, shared or default');
    }
    const { default: isDefault, ...changes } = given;
    const { credentialId: personId } = caller;
    await this.db.transaction().execute(async (trx) => {
      const views = new SavedViewsRepository(trx);
      await views.lockPerson(personId);
      const row = found(await views.lock(id, readerOf(caller)), id);
      assertSeenVersion('view', row.version, version);
      if (Object.values(changes).some((value) => value !== undefined)) {
        await this.changeOwn(views, row, changes, caller);
      }
      if (isDefault === true) await views.setDefault(personId, row);
      if (isDefault === false) await views.unsetDefault(personId, row);
    });
    return this.get(id, caller);
  }

  /** Returns the removed one. @throws NotFoundException; ForbiddenException if it belongs to another person */
  async remove(id: string, caller: ViewCaller): Promise<ViewDto> {
    return this.db.transaction().execute(async (trx) => {
      const views = new SavedViewsRepository(trx);
      const row = found(await views.lock(id, readerOf(caller)), id);
      if (!isOwn(row, caller) && !caller.scopes.has('settings:write')) {
        throw new ScopeMissingException(
          'only its owner, and callers with the scope settings:write, may remove a view',
        );
      }
      await views.remove(id);
      return viewOf(row, caller);
    });
  }

  private async changeOwn(
    views: SavedViewsRepository,
    row: ViewRow,
    { name, query, shared }: Pick<ChangeViewDto, 'name' | 'query' | 'shared'>,
    caller: ViewCaller,
  ): Promise<void> {
    if (!isOwn(row, caller)) throw new ForbiddenException('only its owner may change a view');
    if (shared ?? row.isShared) assertMayShare(caller);
    const { user } = caller;
    const stored = name === undefined ? undefined : await this.sealer.personal(user, name);
    if (stored !== undefined && (await views.isNamed(row, stored))) throw nameTaken(name!);
    const checked = query === undefined ? undefined : await checkedViewQuery(row.list, query);
    const columns = {
      ...(stored !== undefined && { name: stored }),
      ...(checked !== undefined && { query: await this.sealer.personal(user, checked) }),
      ...(shared !== undefined && { is_shared: shared }),
    };
    await views.change(row.id, columns, this.now());
    if (shared === false) await views.removeDefaultsOfOthers(row);
  }
}

const SCOPE_OF = { findings: 'findings:read', assets: 'assets:read' } as const satisfies Record<
  ViewedList,
  Scope
>;

const readerOf = ({ credentialId, scopes }: ViewCaller): ViewReader => ({
  personId: credentialId,
  lists: VIEWED_LISTS.filter((list) => scopes.has(SCOPE_OF[list])),
});

const assertMayRead = (list: ViewedList, { scopes }: ViewCaller): void =>
  assertScope(scopes, SCOPE_OF[list], `a view of ${list} requires`);

/** A viewer changes nothing that others see. */
const assertMayShare = ({ scopes }: ViewCaller): void =>
  assertScope(scopes, 'findings:triage', 'sharing a view requires');

function found(row: ViewRow | undefined, id: string): ViewRow {
  if (!row) throw new NotFoundException(`no view has the id ${id}`);
  return row;
}

const nameTaken = (name: string) =>
  new ConflictException(`the name ${name} is already in use for a view of this list: choose another name`);

const isOwn = ({ ownerId }: ViewRow, { credentialId }: ViewCaller): boolean => ownerId === credentialId;

const viewOf = (row: ViewRow, caller: ViewCaller): ViewDto => ({
  id: row.id,
  name: row.name,
  list: row.list,
  query: row.query,
  shared: row.isShared,
  default: row.isDefault,
  owner: row.owner,
  own: isOwn(row, caller),
  version: row.version,
  createdAt: isoTime(row.createdAt),
  updatedAt: isoTime(row.updatedAt),
});
