import type {
  AssetDeleted,
  ClockCorrected,
  FindingAct,
  OrganizationPayload,
  SubjectErased,
} from '../events.ts';
import { isoTimeOrNull } from '../iso-time.ts';
import type { OrganizationOutcome } from '../organization/organization-outcome.ts';
import type { ScoringModel } from '../scoring/scoring-model.ts';
import type { PartitionState } from '../state.ts';
import type { Act, Refusal } from './effects.ts';

/** A user's act on a finding, an asset or a subject in the audit trail. */
export function actOnEntity(
  payload: FindingAct | AssetDeleted | SubjectErased,
  refused: Refusal | null,
): Act {
  switch (payload.type) {
    case 'FindingAccepted': {
      const { findingId: target, rationale, until } = payload;
      return {
        action: 'finding.accepted',
        target,
        detail: { rationale, until: isoTimeOrNull(until) },
        refused,
      };
    }
    case 'FindingReverted': {
      const { findingId: target, to, rationale } = payload;
      return { action: 'finding.reverted', target, detail: { to, rationale }, refused };
    }
    case 'FindingAssigned': {
      const { findingId: target, user, team } = payload;
      return { action: 'finding.assigned', target, detail: { user, team }, refused };
    }
    case 'FindingTagged': {
      const { findingId: target, add, remove } = payload;
      return { action: 'finding.tagged', target, detail: { add, remove }, refused };
    }
    case 'FindingDueSet': {
      const { findingId: target, due, reason } = payload;
      return { action: 'finding.dueSet', target, detail: { due: isoTimeOrNull(due), reason }, refused };
    }
    case 'FindingTicketsChanged': {
      const { findingId: target, attach, detach } = payload;
      return { action: 'finding.ticketsChanged', target, detail: { attach, detach }, refused };
    }
    case 'FindingCommented': {
      const { findingId: target, text, mentions } = payload;
      return { action: COMMENTED_ACTION, target, detail: { text, mentions }, refused };
    }
    case 'AssetDeleted':
      return { action: 'asset.deleted', target: payload.assetId, detail: {}, refused };
    case 'SubjectErased': {
      const { subject: target, reason } = payload;
      return { action: ERASED_ACTION, target, detail: { reason }, refused };
    }
  }
}

/** The correction of a partition's clock: from when to when, and why. */
export const actOnClock = (
  { partition, clock }: PartitionState,
  { reason }: ClockCorrected,
  from: number,
): Act => ({
  action: 'clock.corrected',
  target: `partition ${partition}`,
  detail: { from: isoTimeOrNull(from), to: isoTimeOrNull(clock), reason },
  refused: from > clock ? null : 'notAhead',
});

/** Action of an erasure; its target is the id of the subject. */
export const ERASED_ACTION = 'subject.erased';

/** Action of a comment on a finding: the audit trail has its text. */
export const COMMENTED_ACTION = 'finding.commented';

/** Actions on remediation plans: the audit trail has their content. */
export const PLAN_ACTIONS = {
  added: 'plan.added',
  changed: 'plan.changed',
  removed: 'plan.removed',
} as const;

/** Action of the opening of a log that states settings. */
export const OPENED_ACTION = 'log.opened';

/** The first settings of a log: an act of the service. */
export const actOnOpening = (scoringModel: ScoringModel): Act => ({
  action: OPENED_ACTION,
  target: 'settings',
  detail: { before: null, after: { scoringModel } },
  refused: null,
});

/** An act on the organization: with the values before and after it, or with the request if it was rejected. */
export function actOnOrganization(payload: OrganizationPayload, outcome: OrganizationOutcome): Act {
  const { refused } = outcome;
  const isNew = refused === null && outcome.before === null;
  const detail =
    refused === null
      ? { before: told(outcome.before), after: told(outcome.after) }
      : { asked: told(asked(payload)) };
  return { action: actionOf(payload, isNew), target: targetOf(payload), detail, refused };
}

const SINGULAR = { departments: 'department', locations: 'location' } as const;

function actionOf(payload: OrganizationPayload, isNew: boolean): string {
  switch (payload.type) {
    case 'SettingsChanged':
      return 'settings.changed';
    case 'OptionSaved':
      return `${SINGULAR[payload.list]}.${isNew ? 'added' : 'changed'}`;
    case 'OptionRemoved':
      return `${SINGULAR[payload.list]}.removed`;
    case 'CustomFieldSaved':
      return `customField.${isNew ? 'added' : 'changed'}`;
    case 'CustomFieldRemoved':
      return 'customField.removed';
    case 'OsMappingReplaced':
      return 'osMapping.replaced';
    case 'OwnerRulesReplaced':
      return 'ownerRules.replaced';
    case 'CredentialChanged':
      return `credential.${payload.act}`;
    case 'WebhookChanged':
      return `webhook.${payload.act}`;
    case 'CatalogueImported':
      return 'catalogue.imported';
    case 'IntegrationSaved':
      return `integration.${isNew ? 'added' : 'changed'}`;
    case 'IntegrationRemoved':
      return 'integration.removed';
    case 'PlanSaved':
      return isNew ? PLAN_ACTIONS.added : PLAN_ACTIONS.changed;
    case 'PlanRemoved':
      return PLAN_ACTIONS.removed;
    case 'SyncRequested':
      return 'integration.syncRequested';
  }
}

function targetOf(payload: OrganizationPayload): string {
  if (payload.type === 'CredentialChanged') return payload.credentialId;
  if (payload.type === 'WebhookChanged') return payload.webhookId;
  if (payload.type === 'CatalogueImported') return payload.catalogue;
  if (payload.type === 'SyncRequested') return payload.integrationId;
  return 'id' in payload ? payload.id : 'settings';
}

/** Without what the action says. */
const asked = ({ type: _, isChange: __, ...given }: OrganizationPayload & { isChange?: boolean }): object =>
  given;

const TIMES: ReadonlySet<string> = new Set([
  'createdAt',
  'recognisedAt',
  'effectiveFrom',
  'due',
  'startedAt',
  'finishedAt',
]);

/** Times in the words of the API. */
function told(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      TIMES.has(name) && typeof one === 'number' ? isoTimeOrNull(one) : one,
    ]),
  );
}
