import type { IntakePayload } from '../events.ts';
import { changeOrganization } from '../organization/change-organization.ts';
import { initialOrganization } from '../organization/organization.ts';
import { refuse } from '../organization/organization-outcome.ts';
import type { EntityState, UploadState } from '../state.ts';
import { actOnEntity, actOnOrganization } from './act-of.ts';
import type { Effects } from './effects.ts';
import { countIgnored } from './upload-progress.ts';

/**
 * Records an event that was stamped by a wrong clock, and changes nothing else: a signal is ignored, an act is refused.
 * What the audit trail alone keeps has happened all the same, so it is recorded as ever.
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
    case 'AssetDeleted':
      effects.acts.push(actOnEntity(payload, 'clockAhead'));
      break;
    case 'SettingsChanged':
    case 'OptionSaved':
    case 'OptionRemoved':
    case 'CustomFieldSaved':
    case 'CustomFieldRemoved':
    case 'OsMappingReplaced':
    case 'IntegrationSaved':
    case 'IntegrationRemoved':
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
    case 'ClockCorrected':
    case 'EntityMended':
    case 'LogOpened':
    case 'AssessmentClosed':
    case 'EntitySwept':
    case 'AssetRetyped':
      break;
    default:
      payload satisfies never;
  }
}
