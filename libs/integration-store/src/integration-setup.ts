import type { Integration } from '#libs/domain';
import type { IntegrationSetup } from '#libs/integrations';

/** An integration as connectors take it: its configuration was checked before it was saved. */
export const integrationSetup = (
  { type, subType, config }: Pick<Integration, 'type' | 'subType' | 'config'>,
  secrets: Record<string, string>,
): IntegrationSetup => ({ type, subType, config, secrets }) as unknown as IntegrationSetup;
