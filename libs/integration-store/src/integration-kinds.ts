import type { IntegrationSubType, IntegrationType } from '#libs/domain';

/** What differs between the kinds of integrations that there are (D28). */
export interface IntegrationKind {
  subType: IntegrationSubType;
  /** The field that names whose secret it is. */
  account: 'clientId' | 'apiKey';
  /** The field that is sealed, and withheld from every answer (D27). */
  secret: 'clientSecret' | 'apiSecret';
}

export const INTEGRATION_KINDS: Readonly<Record<IntegrationType, IntegrationKind>> = {
  edrplugin: { subType: 'falcon', account: 'clientId', secret: 'clientSecret' },
  assetinventory: { subType: 'axonius', account: 'apiKey', secret: 'apiSecret' },
};
