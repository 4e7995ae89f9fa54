import type { IntegrationSubType, IntegrationType } from '#libs/domain';

/** The differences between the kinds of integrations. */
export interface IntegrationKind {
  subType: IntegrationSubType;
  /** The field that names whose secret it is. */
  account: 'clientId' | 'apiKey';
  /** The field that is sealed and never returned (R-INT-2). */
  secret: 'clientSecret' | 'apiSecret';
}

export const INTEGRATION_KINDS: Readonly<Record<IntegrationType, IntegrationKind>> = {
  edrplugin: { subType: 'falcon', account: 'clientId', secret: 'clientSecret' },
  assetinventory: { subType: 'axonius', account: 'apiKey', secret: 'apiSecret' },
};
