import type { IntakePayload } from '../events.ts';
import { changeOrganization } from '../organization/change-organization.ts';
import { initialOrganization } from '../organization/organization.ts';
import { refuse } from '../organization/organization-outcome.ts';
import type { EntityState, UploadState } from '../state.ts';
import { actOnEntity, actOnOrganization } from './act-of.ts';
import type { Effects } from './effects.ts';
import { foldOpening } from './fold-opening.ts';
import { countIgnored } from './upload-progress.ts';

/**
 * Records an event that was stamped by a wrong clock, and changes nothing else: a signal is ignored, an act is refused.
 * Acts that only the audit trail keeps have happened anyway, so they are always recorded.
 */
export function setAside(
  effects: Effects,
  entity: EntityState,
  payload: IntakePayload,
  upload: UploadState | null,
): void {
  effects.setAside += 1;
  switch (payload.type) {
    case 'SignalReceived':
    case 'AssetDescribed':
      upload!.signals += 1;
      countIgnored(upload!, 'clockAhead');
      break;
    case 'FindingAccepted':
    case 'FindingReverted':
    case 'FindingAssigned':
    case 'FindingTagged':
    case 'FindingDueSet':
    case 'FindingTicketsChanged':
    case 'FindingCommented':
    case 'AssetDeleted':
    case 'SubjectErased':
      effects.acts.push(actOnEntity(payload, 'clockAhead'));
      break;
    case 'SettingsChanged':
    case 'OptionSaved':
    case 'OptionRemoved':
    case 'CustomFieldSaved':
    case 'CustomFieldRemoved':
    case 'OsMappingReplaced':
    case 'OwnerRulesReplaced':
    case 'IntegrationSaved':
    case 'IntegrationRemoved':
    case 'PlanSaved':
    case 'PlanRemoved':
      effects.acts.push(actOnOrganization(payload, refuse('clockAhead')));
      break;
    case 'CredentialChanged':
    case 'WebhookChanged':
    case 'CatalogueImported':
    case 'SyncRequested': {
      const outcome = changeOrganization(entity.organization ?? initialOrganization(), payload);
      effects.acts.push(actOnOrganization(payload, outcome));
      break;
    }
    case 'LogOpened':
      // What it states does not depend on a time.
      foldOpening(effects, entity, payload);
      break;
    case 'ClockCorrected':
    case 'HistoryTrimmed':
    case 'EntityMended':
    case 'AssessmentClosed':
    case 'EntitySwept':
    case 'AssetRetyped':
    case 'EdrManagementEnded':
    case 'StatementEnded':
      break;
    default:
      payload satisfies never;
  }
}
