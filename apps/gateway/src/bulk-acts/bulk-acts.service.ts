import { BadRequestException, Injectable } from '@nestjs/common';
import type { FindingAct } from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import { AcceptanceService } from '../acceptance/acceptance.service.ts';
import { reverted } from '../acceptance/acceptance-acts.ts';
import { ActsService } from '../acts/acts.service.ts';
import { assertScope } from '../auth/access.ts';
import type { LimitedCaller, ScopedCaller } from '../auth/caller.ts';
import type { Scope } from '../auth/scopes.ts';
import type { ActOf } from '../finding-acts/act-of.ts';
import { ActedOnRepository, versionAtFold } from '../finding-acts/acted-on.repository.ts';
import { ActedOnFindings } from '../finding-acts/acted-on-findings.ts';
import { assertConditions, assertExpected } from '../finding-acts/assert-bulk.ts';
import { BULK_MAX } from '../finding-acts/bulk-filter.dto.ts';
import { withTerms } from '../query-terms/with-terms.ts';
import { TriageService } from '../triage/triage.service.ts';
import { assigned, tagged, ticketsChanged } from '../triage/triage-acts.ts';
import {
  ACTS,
  ActsFilterDto,
  type BulkActsDto,
  type BulkActsOutcomeDto,
  EXAMPLES_MAX,
  REFUSED_LISTED_MAX,
  type RefusalReason,
} from './bulk-acts.dto.ts';
import { type PlannedAct, planActs, reasonOf, type Selected } from './plan-acts.ts';

/** An act after it was performed. */
interface PerformedAct extends Pick<PlannedAct, 'id' | 'actedOn'> {
  outcome: 'done' | 'pending' | 'unchanged' | RefusalReason;
}

const isRefused = (outcome: PerformedAct['outcome']): outcome is RefusalReason =>
  outcome !== 'done' && outcome !== 'pending' && outcome !== 'unchanged';

/** One act on many findings. The fold decides on each; what is known to be refused or unchanged is not appended. */
@Injectable()
export class BulkActs {
  constructor(
    private readonly actedOn: ActedOnFindings,
    private readonly findings: ActedOnRepository,
    private readonly acceptance: AcceptanceService,
    private readonly triage: TriageService,
    private readonly acts: ActsService,
  ) {}

  /**
   * @throws BadRequestException (not one act, neither ids nor a filter, or too many match), ForbiddenException,
   *   ConflictException (others match than in the dry run)
   * @throws LogUnavailableError if not all acts are known to be stored
   */
  async perform(given: BulkActsDto, caller: ScopedCaller): Promise<BulkActsOutcomeDto> {
    const act = await this.actOf(given, caller.scopes);
    const planned = planActs(await this.selected(given, caller.rows), act);
    const performed = given.dryRun ? planned.map(assumed) : await this.appended(planned, caller);
    return outcomeOf(performed, given.dryRun ?? false, caller.requestId);
  }

  private async actOf(given: BulkActsDto, scopes: ReadonlySet<Scope>): Promise<ActOf<FindingAct>> {
    const named = ACTS.filter((name) => given[name] !== undefined);
    if (named.length !== 1) {
      throw new BadRequestException(
        `the body must name one act of ${ACTS.join(', ')} (got ${named.join(', ') || 'none'})`,
      );
    }
    const { accept, revert, assign, tags, due, tickets, comments } = given;
    const scope = accept || revert ? 'findings:accept' : 'findings:triage';
    assertScope(scopes, scope, `${named[0]} requires`);
    if (accept) return this.acceptance.acceptedAct(accept, 'accept.until');
    if (revert) return reverted(revert);
    if (assign) return assigned(assign);
    if (tags) return tagged(tags);
    if (due) return this.triage.dueSet(due, 'due.reason');
    if (tickets) return ticketsChanged(tickets);
    return this.triage.commented(comments!);
  }

  private async selected(given: BulkActsDto, rows: RowLimits): Promise<Selected[]> {
    const { ids, versions, filter, dryRun = false, expected } = given;
    if ((ids === undefined) === (filter === undefined)) {
      throw new BadRequestException('the body must contain either ids or filter');
    }
    if (filter !== undefined) {
      if (versions !== undefined) throw new BadRequestException('versions requires ids');
      const selected = await withTerms(filter, ActsFilterDto, 'filter.');
      assertConditions(selected);
      const matching = await this.actedOn.matching(selected, rows, BULK_MAX);
      if (!dryRun) assertExpected(expected, matching.length);
      return matching.map((one) => ({ id: one.id, actedOn: one, version: one.decidedOn.version }));
    }
    const seen = versionsOf(versions ?? {}, ids!);
    const found = await this.findings.byIds(ids!, rows);
    return ids!.map((id) => {
      const actedOn = found.get(id);
      return { id, actedOn, version: versionAtFold(actedOn, seen.get(id) ?? null) };
    });
  }

  private async appended(planned: PlannedAct[], caller: LimitedCaller): Promise<PerformedAct[]> {
    const effective = planned.filter(({ outcome }) => outcome === 'effective');
    const acts = effective.map(({ actedOn, payload }) => ({ entityKey: actedOn!.entityKey, payload }));
    const outcomes = await this.acts.perform(acts, caller);
    const folded = new Map(effective.map(({ id }, i) => [id, outcomes[i]!]));
    return planned.map((one) => {
      const { isFolded, refused } = folded.get(one.id) ?? {};
      if (isFolded === undefined) return assumed(one);
      if (refused) return { ...one, outcome: reasonOf(refused) };
      return { ...one, outcome: isFolded ? 'done' : 'pending' };
    });
  }
}

/** What an act would do. */
const assumed = ({ id, actedOn, outcome }: PlannedAct): PerformedAct => ({
  id,
  actedOn,
  outcome: outcome === 'effective' ? 'done' : outcome,
});

/** @throws BadRequestException for a version of another finding than the ids name */
function versionsOf(versions: Record<string, number>, ids: readonly string[]): Map<string, number> {
  const seen = new Map(Object.entries(versions).map(([id, version]) => [id.toLowerCase(), version]));
  const named = new Set(ids);
  for (const id of seen.keys()) {
    if (!named.has(id)) throw new BadRequestException('versions must contain only ids that ids contains');
  }
  return seen;
}

function outcomeOf(performed: PerformedAct[], dryRun: boolean, requestId: string): BulkActsOutcomeDto {
  const refused = performed.flatMap(({ id, actedOn, outcome: reason }) =>
    isRefused(reason)
      ? [{ id, name: actedOn?.name ?? null, assetName: actedOn?.assetName ?? null, reason }]
      : [],
  );
  const refusedBy: BulkActsOutcomeDto['refusedBy'] = {};
  for (const { reason } of refused) refusedBy[reason] = (refusedBy[reason] ?? 0) + 1;
  const done = performed.filter(({ outcome }) => outcome === 'done');
  const count = (outcome: 'pending' | 'unchanged') =>
    performed.filter((one) => one.outcome === outcome).length;
  return {
    dryRun,
    matching: performed.length,
    done: done.length,
    unchanged: count('unchanged'),
    pending: count('pending'),
    refusedBy,
    refused: refused.slice(0, REFUSED_LISTED_MAX),
    examples: done
      .slice(0, EXAMPLES_MAX)
      .map(({ id, actedOn }) => ({ id, name: actedOn!.name, assetName: actedOn!.assetName })),
    requestId,
  };
}
