import { type RawBuilder, sql } from 'kysely';
import { instant } from '#libs/database';
import { PLAN_ACTIONS } from '#libs/domain';

/** SQL of remediation plans, whose content only the audit trail has (ADR-0127). */

const ACTIONS = sql.join(Object.values(PLAN_ACTIONS).map((action) => sql.lit(action)));

/**
 * Condition on a row of `acts`: it changed a plan, until an instant. As the index `acts_plans` says it.
 * @param at epoch ms; null: the present
 */
export const isPlanAct = (at: number | null): RawBuilder<boolean> => sql`
  action in (${ACTIONS}) and refused is null and ${at === null ? sql`true` : sql`at <= ${instant(at)}`}`;

/** The findings of a plan at an instant, or at present; none if there is no such plan. */
export interface PlannedFindings {
  planId: string;
  /** Epoch ms; null: the present. */
  at: number | null;
}

/** Condition on a row `f` of findings: the plan contains it. The ids are read once. */
export const isPlanned = ({ planId, at }: PlannedFindings): RawBuilder<boolean> => sql`
  f.id = any(array(
    select json_array_elements_text(last.plan -> 'findingIds')::uuid
    from (select detail -> 'after' as plan from acts
           where target = ${planId} and ${isPlanAct(at)}
           order by log_offset desc limit 1) last
    where json_typeof(last.plan) = 'object'))`;
