import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import {
  type FindingState,
  type PlanPromise,
  type PlanState,
  type Since,
  withoutOverruled,
} from '#libs/domain';
import {
  belongedToVisible,
  belongsToVisible,
  changeAt,
  historyKeptFrom,
  isOfSamePartition,
  isVisibleSince,
  lastSeenAt,
  type RowLimits,
} from '#libs/tables';
import { stateAt } from '#libs/views';
import { isPlanAct } from '../findings/planned-findings.ts';
import { FINDINGS_AT_ONCE, type PastRead } from '../paging/past-reads.ts';
import type { FindingStates } from './burn-down.ts';

/** A plan as the audit trail has it: times in ISO 8601, texts of persons in the clear or sealed. */
export interface StoredPlan {
  id: string;
  version: number;
  name: string;
  description: string | null;
  ownerUser: string | null;
  ownerTeam: string | null;
  due: string | null;
  state: PlanState;
  findingIds: string[];
  query: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  promise: PlanPromise | null;
}

export interface PlanRow {
  plan: StoredPlan;
  /** Of its last change, in epoch ms. */
  updatedAt: number;
}

@Injectable()
export class PlansRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * All plans at an instant (epoch ms), or at present: those of `id`, if it is given. Only the last act of each is read
   * whole, of thousands of 40 kB: `offset 0` keeps the condition on its content from being checked on all of them.
   */
  async list(at: number | null, id?: string): Promise<PlanRow[]> {
    const last =
      id === undefined
        ? sql`select distinct on (target) partition, log_offset from acts
              where ${isPlanAct(at)} order by target, log_offset desc`
        : sql`select partition, log_offset from acts
              where ${isPlanAct(at)} and target = ${id} order by log_offset desc limit 1`;
    const { rows } = await sql<PlanRow>`
      select plan, "updatedAt" from (${last}) last
      cross join lateral (
        select detail -> 'after' as plan, at as "updatedAt" from acts a
        where a.partition = last.partition and a.log_offset = last.log_offset
        offset 0) act
      where json_typeof(plan) = 'object'`.execute(this.db);
    return rows;
  }

  /**
   * States of the visible ones among findings, as readers see them.
   * @param past epoch ms; null: the present
   * @throws what `read` throws before each step into the past
   */
  async states(
    ids: readonly string[],
    rows: RowLimits,
    { past, now }: { past: number | null; now: number },
    read: PastRead,
  ): Promise<Map<string, FindingState>> {
    if (past === null) return new Map(await this.present(ids, rows, now));
    const states = new Map<string, FindingState>();
    for (let first = 0; first < ids.length; first += FINDINGS_AT_ONCE) {
      const some = ids.slice(first, first + FINDINGS_AT_ONCE);
      await read.step(some.length);
      for (const [id, state] of await this.past(some, rows, past)) states.set(id, state);
    }
    return states;
  }

  private async present(
    ids: readonly string[],
    limits: RowLimits,
    now: number,
  ): Promise<[string, FindingState][]> {
    const conditions = [sql<SqlBool>`f.id = any(${ids}::uuid[])`, ...belongsToVisible(limits, 'f')];
    const { rows } = await sql<{ id: string; state: FindingState; expiresAt: number; retainUntil: number }>`
      select f.id, f.state, s.expires_at as "expiresAt", s.retain_until as "retainUntil"
      from findings f join finding_seen s using (partition, asset_no, finding_no)
      where ${sql.join(conditions, sql` and `)}`.execute(this.db);
    return rows.map(({ id, state, ...seen }) => [
      id,
      stateAt({ finding: { state, retiredReason: null }, ...seen }, now).state,
    ]);
  }

  private async past(
    ids: readonly string[],
    limits: RowLimits,
    at: number,
  ): Promise<[string, FindingState][]> {
    const conditions = [
      sql<SqlBool>`f.id = any(${ids}::uuid[])`,
      ...belongedToVisible(limits, 'f', instant(at)),
    ];
    const { rows } = await sql<{ id: string; state: FindingState }>`
      select f.id, case when s.fell_due is null then h.to_state else 'Retired' end as state
      from findings f
      cross join lateral ${changeAt(at)} h
      cross join lateral ${lastSeenAt(at)} s
      where ${sql.join(conditions, sql` and `)}`.execute(this.db);
    return rows.map(({ id, state }) => [id, state]);
  }

  /**
   * All states of findings until an instant, if they were visible all the time. Expiry counts from when readers saw
   * it, as in `lastSeenAt`. Times are in epoch ms.
   */
  async history(
    ids: readonly string[],
    limits: RowLimits,
    { from, until }: { from: number; until: number },
  ): Promise<FindingStates[]> {
    const conditions = [
      sql<SqlBool>`f.id = any(${ids}::uuid[])`,
      ...isVisibleSince(limits, (alias) => isOfSamePartition(alias, 'f'), instant(from)),
    ];
    const { rows } = await sql<{
      state: FindingState;
      endsAt: number;
      changes: (Since<FindingState> & { before: FindingState | null })[] | null;
    }>`
      select f.state, least(s.expires_at, s.retain_until) as "endsAt", h.changes
      from findings f
      join finding_seen s using (partition, asset_no, finding_no)
      cross join lateral (
        select json_agg(json_build_object(
                 'from', (extract(epoch from coalesce(h.expired_at, h.at)) * 1000)::float8,
                 'before', h.from_state, 'value', h.to_state) order by h.sequence) as changes
        from finding_history h
        where h.asset_no = f.asset_no and h.finding_no = f.finding_no and h.partition = f.partition
          and h.from_state is distinct from h.to_state) h
      where ${sql.join(conditions, sql` and `)}`.execute(this.db);
    return rows.map(({ state, endsAt, changes }) => {
      const [first] = changes ?? [];
      const known = (changes ?? []).map(({ from, value }) => ({ from, value }));
      const end: FindingStates['changes'] = state === 'Retired' ? [] : [{ from: endsAt, value: 'Retired' }];
      return {
        first: first ? first.before : state,
        // What expired before it was processed was seen as Retired from its end on.
        changes: withoutOverruled([...known, ...end]).filter(({ from }) => from <= until),
      };
    });
  }

  /** Since when (epoch ms) states are known; null: since ever. */
  keptFrom(): Promise<number | null> {
    return historyKeptFrom(this.db);
  }
}
