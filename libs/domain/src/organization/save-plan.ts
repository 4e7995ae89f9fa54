import type { PlanRemoved, PlanSaved } from '../events.ts';
import { byName, isSameName } from './names.ts';
import type { Organization, PlanHead } from './organization.ts';
import { type OrganizationOutcome, refuse } from './organization-outcome.ts';

/** Remediation plans of an organization. */
export const PLANS_MAX = 200;

/**
 * The audit trail contains the whole plan. A change that was decided on another version has no effect, and does not
 * restore a plan that was removed since (R-FOLD-6).
 */
export function savePlan(
  organization: Organization,
  { type: _, seenVersion, ...content }: PlanSaved,
): OrganizationOutcome {
  const { plans = [] } = organization;
  const known = plans.find(({ id }) => id === content.id) ?? null;
  if (seenVersion !== null && !known) return refuse('unknown');
  if (known && known.version !== seenVersion) return refuse('stale');
  const others = plans.filter((other) => other !== known);
  if (others.some(({ name }) => isSameName(name, content.name))) return refuse('nameTaken');
  if (!known && plans.length >= PLANS_MAX) return refuse('tooMany');
  const version = (known?.version ?? 0) + 1;
  const head: PlanHead = { id: content.id, version, name: content.name };
  return {
    organization: withPlans(organization, [...others, head]),
    before: known,
    after: { ...content, version },
    refused: null,
  };
}

export function removePlan(
  organization: Organization,
  { id, seenVersion }: PlanRemoved,
): OrganizationOutcome {
  const { plans = [] } = organization;
  const known = plans.find((plan) => plan.id === id);
  if (!known) return refuse('unknown');
  if (seenVersion !== null && seenVersion !== known.version) return refuse('stale');
  const left = plans.filter((other) => other !== known);
  return { organization: withPlans(organization, left), before: known, after: null, refused: null };
}

/** The settings' version does not count them, as it does not count integrations. */
const withPlans = ({ plans: _, ...others }: Organization, plans: PlanHead[]): Organization =>
  plans.length === 0 ? others : { ...others, plans: plans.toSorted(byName) };
