import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import { openEgress } from '#libs/egress';
import { assetLookup, deviceLookup, IntegrationSecrets } from '#libs/integration-store';
import { connectorOf } from '#libs/integrations';
import type { EventSealer } from '#libs/sealing';
import type { Vault } from '#libs/vault';
import type { ConnectorFactory } from './sync/sync-runner.service.ts';

/** Connectors with the integration's secrets, over outbound connections that the current settings restrict. */
export function openConnectors(
  db: Kysely<Schema>,
  vault: Vault,
  sealer: EventSealer,
  proxy: string | undefined,
): ConnectorFactory {
  const store = new IntegrationSecrets(db, vault);
  return async (integration, settings) => {
    const { secrets, missing } = await store.open(integration);
    if (missing.length > 0) throw new Error(missing.map(({ message }) => message).join('; '));
    const egress = openEgress({ ...(proxy && { proxy }), allow: () => settings().egressAllow });
    const context = {
      source: integration.source,
      settings,
      assets: assetLookup(db, sealer),
      devices: deviceLookup(db, sealer),
    };
    const connector = connectorOf({ ...integration, secrets }, egress, context);
    return { connector, close: () => egress.close() };
  };
}
