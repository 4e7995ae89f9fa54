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
import { type PlanPromise, type PlanSaved, type PlanState } from '#libs/domain';
import { ALL_ROWS, type RowLimits, seesAllRows } from '#libs/tables';
import { PendingAct } from '../acts/pending-act.ts';
import type { LimitedCaller, ScopedCaller } from '../auth/caller.ts';
import type { AssigneeDto } from '../findings/triage-values.dto.ts';
import { StaleException } from '../http/http-errors.ts';
import { OrganizationActs } from '../organization/organization-acts.service.ts';
import { type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { assertHistoryKept } from '../paging/kept-history.ts';
import { eachOf } from '../paging/one-or-more.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { type PastRead, type PastReader, PastReads, SHORT_READ } from '../paging/past-reads.ts';
import { WhatIfs } from '../scores/what-if.service.ts';
import { countStates } from './burn-down.ts';
import type { AddPlanDto, ChangePlanDto, PlanDto, PlansQuery } from './plan.dto.ts';
import { planView, savedPlan } from './plan-view.ts';
import { PlannedIds } from './planned-ids.service.ts';
import { type PlanRow, PlansRepository, type StoredPlan } from './plans.repository.ts';

const NEXT_STATES: Record<PlanState, readonly PlanState[]> = {
  planned: ['active', 'cancelled'],
  active: ['done', 'cancelled'],
  done: ['active'],
  cancelled: ['active'],
};

/** Decisions on a plan without `version`, while others change it. */
const ATTEMPTS_MAX = 10;

/** Remediation plans: events of the organization, whose content is read from the audit trail (ADR-0127). */
@Injectable()
export class PlansService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly plans: PlansRepository,
    private readonly planned: PlannedIds,
    private readonly acts: OrganizationActs,
    private readonly whatIfs: WhatIfs,
    private readonly pastReads: PastReads,
  ) {}

  /**
   * Newest first; for limited callers those with a finding that they see.
   * @throws GoneException; RetryLaterException (429) if too many read as much of the history
   */
  async list(
    { limit, cursor, asOf, state }: PlansQuery,
    caller: ScopedCaller,
    reader: PastReader,
  ): Promise<Page<PlanDto>> {
    const after = decodeKeys(cursor, 'time', 'uuid');
    const instant = await this.instantOf(asOf);
    const states = state && eachOf(state);
    const rows = (await this.plans.list(instant.past))
      .filter(({ plan }) => states === undefined || states.includes(plan.state))
      .filter((row) => after === null || isAfter(row, after))
      .sort(newestFirst);
    const seen = seesAllRows(caller.rows) ? rows.slice(0, limit + 1) : rows;
    const views = await this.pastReads.run(reader, (read) => this.views(seen, instant, caller, read));
    return pageFrom(
      views.slice(0, limit + 1),
      limit,
      ({ createdAt, id }) => [Date.parse(createdAt), id],
      (view) => view,
    );
  }

  /** @throws NotFoundException; also if there was no such plan yet at `asOf`, or the caller sees none of its findings */
  async get(id: string, { asOf }: AsOfQuery, caller: ScopedCaller): Promise<PlanDto> {
    const instant = await this.instantOf(asOf);
    const [view] = await this.views(await this.plans.list(instant.past, id), instant, caller, SHORT_READ);
    return view ?? notFound(id);
  }

  /** The plan as it is stored, if the caller sees one of its findings. @throws NotFoundException */
  async stored(id: string, past: number | null, caller: Pick<LimitedCaller, 'rows'>): Promise<StoredPlan> {
    const [row] = await this.plans.list(past, id);
    if (!row) return notFound(id);
    if (seesAllRows(caller.rows)) return row.plan;
    const instant = { past, now: this.clock() };
    const visible = await this.plans.states(row.plan.findingIds, caller.rows, instant, SHORT_READ);
    return visible.size === 0 ? notFound(id) : row.plan;
  }

  /**
   * @throws BadRequestException, NotFoundException as `PlannedIds.after`; ConflictException if the name is taken or the
   * limit is reached
   */
  async add(given: AddPlanDto, caller: ScopedCaller): Promise<PlanDto | PendingAct> {
    const findingIds = await this.planned.after([], given, [], caller.rows);
    const { name, description, owner, due, query } = given;
    return this.save(
      {
        type: 'PlanSaved',
        id: randomUUID(),
        seenVersion: null,
        name,
        description: description || null,
        ...ownerFields(owner ?? null),
        due: due ?? null,
        state: 'planned',
        findingIds,
        query: query ?? null,
        createdAt: this.clock(),
        startedAt: null,
        finishedAt: null,
        promise: null,
      },
      caller,
    );
  }

  /**
   * @throws BadRequestException for nothing to change; ForbiddenException if the plan has findings that the caller does
   * not see; NotFoundException; ConflictException for a stale version, a name that is taken, or another state than the
   * present one leads to; RetryLaterException if too many scores are computed
   */
  async change(
    id: string,
    { version, ...given }: ChangePlanDto,
    caller: ScopedCaller,
  ): Promise<PlanDto | PendingAct> {
    if (Object.values(given).every((value) => value === undefined)) {
      throw new BadRequestException(
        'the body must contain name, description, owner, due, add, remove, query or state',
      );
    }
    return onNewest(version, async () => {
      const plan = await this.changeable(id, caller);
      if (version !== undefined && version !== plan.version) {
        throw new StaleException(
          'the plan has changed since `version`: read it again and repeat the request',
        );
      }
      return this.save(await this.changed(plan, given, caller), caller);
    });
  }

  /** Returns the removed plan. @throws as `change` */
  async remove(id: string, version: number | undefined, caller: ScopedCaller): Promise<PlanDto | PendingAct> {
    return onNewest(version, async () => {
      const plan = await this.changeable(id, caller);
      const view = await this.get(id, {}, caller);
      const seenVersion = version ?? plan.version;
      const done = await this.acts.perform({ type: 'PlanRemoved', id, seenVersion }, caller);
      return done instanceof PendingAct ? done : view;
    });
  }

  /** Which instant a request is about, in epoch ms; null: the present. @throws GoneException if its history is removed */
  async instantOf(asOf: number | undefined): Promise<{ past: number | null; now: number }> {
    const now = this.clock();
    const past = pastInstant(asOf, now);
    if (past !== null) await assertHistoryKept(this.db, past);
    return { past, now };
  }

  private async changed(
    plan: StoredPlan,
    given: Omit<ChangePlanDto, 'version'>,
    caller: ScopedCaller,
  ): Promise<PlanSaved> {
    const { name, description, owner, due, query, remove = [], state } = given;
    const isMoved = state !== undefined && state !== plan.state;
    if (isMoved) assertNext(plan.state, state);
    const changed: PlanSaved = {
      ...savedPlan(plan),
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description: description || null }),
      ...(owner !== undefined && ownerFields(owner)),
      ...(due !== undefined && { due }),
      ...(query !== undefined && { query }),
      findingIds: await this.planned.after(plan.findingIds, given, remove, caller.rows),
    };
    return isMoved ? this.moved(changed, state) : changed;
  }

  private async save(plan: PlanSaved, caller: ScopedCaller): Promise<PlanDto | PendingAct> {
    const done = await this.acts.perform(plan, caller);
    return done instanceof PendingAct ? done : this.get(plan.id, {}, caller);
  }

  private async changeable(id: string, caller: ScopedCaller): Promise<StoredPlan> {
    const plan = await this.stored(id, null, caller);
    const hidden = await this.hidden(plan.findingIds, caller.rows);
    if (hidden.size === 0) return plan;
    throw new ForbiddenException(
      'the plan contains findings of departments or locations that you may not see: ask an analyst without limits',
    );
  }

  /** Which of some findings the caller does not see. @param visible the ones that it sees now, if they were read */
  private async hidden(
    ids: string[],
    rows: RowLimits,
    visible?: ReadonlyMap<string, unknown>,
  ): Promise<ReadonlySet<string>> {
    if (seesAllRows(rows)) return new Set();
    const instant = { past: null, now: this.clock() };
    const [all, seen] = await Promise.all([
      this.plans.states(ids, ALL_ROWS, instant, SHORT_READ),
      visible ?? this.plans.states(ids, rows, instant, SHORT_READ),
    ]);
    return new Set([...all.keys()].filter((id) => !seen.has(id)));
  }

  private async moved(plan: PlanSaved, state: PlanState): Promise<PlanSaved> {
    const now = this.clock();
    if (state !== 'active') return { ...plan, state, finishedAt: now };
    const promise = plan.promise ?? (await this.promised(plan.findingIds));
    return { ...plan, state, startedAt: plan.startedAt ?? now, finishedAt: null, promise };
  }

  /** For the whole organization, for every caller: the outcome of the plan is compared with it. */
  private async promised(findingIds: string[]): Promise<PlanPromise> {
    const { organization, model } = await this.whatIfs.outcome({ fixed: findingIds }, ALL_ROWS);
    const { score, scoreAfter, breachLikelihood, breachLikelihoodAfter } = organization;
    return { model, score, scoreAfter, breachLikelihood, breachLikelihoodAfter };
  }

  private async views(
    rows: PlanRow[],
    instant: { past: number | null; now: number },
    { rows: limits, scopes }: ScopedCaller,
    read: PastRead,
  ): Promise<PlanDto[]> {
    const ids = [...new Set(rows.flatMap(({ plan }) => plan.findingIds))];
    const states = await this.plans.states(ids, limits, instant, read);
    if (instant.past !== null) await assertHistoryKept(this.db, instant.past);
    const hidden = await this.hidden(ids, limits, instant.past === null ? states : undefined);
    const isWhole = seesAllRows(limits);
    const hasScores = scopes.has('scores:read');
    return rows.flatMap((row) => {
      const visible = row.plan.findingIds.flatMap((id) => states.get(id) ?? []);
      if (visible.length === 0 && !isWhole) return [];
      const isChangeable = !row.plan.findingIds.some((id) => hidden.has(id));
      const sight = { isWhole, isChangeable, hasScores };
      return [planView(row, countStates(visible), sight, instant.past ?? instant.now)];
    });
  }
}

/** Without `version`, a decision that a change of others has overtaken is made again on the plan as it is now. */
async function onNewest<T>(version: number | undefined, decide: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await decide();
    } catch (error) {
      const isRepeated = error instanceof StaleException && version === undefined && attempt < ATTEMPTS_MAX;
      if (!isRepeated) throw error;
    }
  }
}

const ownerFields = (owner: AssigneeDto | null) => ({
  ownerUser: owner?.type === 'user' ? owner.name : null,
  ownerTeam: owner?.type === 'team' ? owner.name : null,
});

function assertNext(from: PlanState, to: PlanState): void {
  const next = NEXT_STATES[from];
  if (next.includes(to)) return;
  throw new ConflictException(`a plan that is ${from} can become ${next.join(' or ')}, not ${to}`);
}

function notFound(id: string): never {
  throw new NotFoundException(`no plan has the id ${id}`);
}

const newestFirst = ({ plan: a }: PlanRow, { plan: b }: PlanRow): number =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? -1 : Number(a.id > b.id));

const isAfter = ({ plan }: PlanRow, [at, id]: [number, string]): boolean => {
  const createdAt = Date.parse(plan.createdAt);
  return createdAt < at || (createdAt === at && plan.id > id);
};
