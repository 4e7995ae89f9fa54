import { type RawBuilder, sql } from 'kysely';
import { instant } from '#libs/database';

/**
 * SQL of a finding at an instant, joined with its row `f` with asset_no, finding_no and partition. A finding's rows of
 * the history have the same order by sequence and by `at`, and are few: its index is read backward from the newest to
 * the valid one. Each is a subquery with a limit, so that the planner can only look it up, finding by finding: the
 * planner overestimates the selectivity of the conditions, and would scan all tables.
 */

/** To be joined laterally as `h`: the last change until an instant; no row if the finding did not exist yet. */
export const changeAt = (at: number): RawBuilder<unknown> => sql`
  (select h.sequence, h.to_state, h.body from finding_history h
    where h.asset_no = f.asset_no and h.finding_no = f.finding_no and h.partition = f.partition
      and h.at <= ${instant(at)}
    order by h.sequence desc limit 1)`;

/** Whether no signal has updated `s` since: then it has the values of the instant. */
export const isSeenUntil = (at: number): RawBuilder<boolean> =>
  sql`(coalesce(s.seen_at, s.stamp_at) <= ${instant(at)})`;

/**
 * To be joined laterally as `s`, after `h`: what signals have moved last, and `fell_due`, why readers saw the finding
 * Retired at an instant although the fold had not retired it yet (R-EXP-6), or null. If it was seen since, it had
 * expired at the instant only if the next change says so: the fold retires expired findings before it folds another
 * signal. The end of an acceptance may be due at the same time, and comes first then.
 */
export const lastSeenAt = (at: number): RawBuilder<unknown> => sql`
  (select s.*, case
     when h.to_state = 'Retired' then null
     when ${isSeenUntil(at)} then
       case when least(s.expires_at, s.retain_until) <= ${instant(at)}
            then case when s.expires_at <= s.retain_until then 'expired' else 'retention' end end
     else
       (select case when n.expired_at <= ${instant(at)} then n.reason end from finding_history n
         where n.asset_no = f.asset_no and n.finding_no = f.finding_no and n.partition = f.partition
           and n.sequence > h.sequence and n.reason is distinct from 'acceptanceEnded'
         order by n.sequence limit 1)
   end as fell_due
   from finding_seen s
   where s.asset_no = f.asset_no and s.finding_no = f.finding_no and s.partition = f.partition limit 1)`;
