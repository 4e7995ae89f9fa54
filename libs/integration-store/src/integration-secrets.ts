import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import type { Integration } from '#libs/domain';
import { CONNECTOR_KINDS } from '#libs/integrations';
import { integrationSecretPlace, type Vault, VaultError } from '#libs/vault';

/** The stored secrets of an integration. */
export interface OpenedSecrets {
  /** Field → secret. */
  secrets: Record<string, string>;
  /** Secrets that it cannot do without and that are not there, each with a sentence why. */
  missing: { field: string; message: string }[];
}

/** An integration with its secrets, field → secret. */
interface Former {
  integration: Integration;
  secrets: Record<string, string>;
}

/** A secret, and whom it was given for (`recipientOf`). */
interface Given {
  secret: string;
  recipient: string;
}

/** What is sealed. `former` is the one for the integration before a change that the fold may refuse. */
type Stored = Given & { former?: Given };

/**
 * Secrets of integrations at rest (R-KEY-3). Each is sealed together with its address and account, and does not open
 * for any other: also after a crash, no secret is sent to another address.
 */
export class IntegrationSecrets {
  constructor(
    private readonly db: Kysely<Schema>,
    private readonly vault: Vault,
  ) {}

  /**
   * The given secrets replace the earlier ones, but not those of a later version.
   * @param secrets field → secret
   * @param former keeps its secrets for its address and account: the fold may refuse the change
   */
  async put(
    integration: Integration,
    secrets: Record<string, string>,
    former: Former | null = null,
  ): Promise<void> {
    const rows = Object.entries(secrets).map(([field, secret]) => ({
      integration_id: integration.id,
      name: field,
      sealed: this.vault.seal(
        JSON.stringify(storedOf({ secret, recipient: recipientOf(integration) }, field, former)),
        integrationSecretPlace(integration.id, field),
      ),
      version: integration.version,
    }));
    if (rows.length === 0) return;
    await this.db
      .insertInto('integration_secrets')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['integration_id', 'name'])
          .doUpdateSet(({ ref, fn }) => ({
            sealed: ref('excluded.sealed'),
            version: ref('excluded.version'),
            given_at: fn('now'),
          }))
          .whereRef('excluded.version', '>=', 'integration_secrets.version'),
      )
      .execute();
  }

  async open(integration: Integration): Promise<OpenedSecrets> {
    return (await this.openAll([integration])).get(integration.id)!;
  }

  /** By the integration's id. Secrets that an earlier key has sealed are stored again under the current one. */
  async openAll(integrations: readonly Integration[]): Promise<Map<string, OpenedSecrets>> {
    const rows = await this.rowsOf(integrations);
    const opened = new Map<string, OpenedSecrets>();
    for (const integration of integrations) {
      const { secret: field } = CONNECTOR_KINDS[integration.subType];
      const sealed = rows.get(`${integration.id} ${field}`);
      opened.set(integration.id, this.openOne(integration, field, sealed));
      if (sealed !== undefined) await this.renew(integration.id, field, sealed);
    }
    return opened;
  }

  async forget(integrationId: string): Promise<void> {
    await this.db.deleteFrom('integration_secrets').where('integration_id', '=', integrationId).execute();
  }

  private async rowsOf(integrations: readonly Integration[]): Promise<Map<string, string>> {
    if (integrations.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('integration_secrets')
      .select(['integration_id', 'name', 'sealed'])
      .where(
        'integration_id',
        'in',
        integrations.map(({ id }) => id),
      )
      .execute();
    return new Map(rows.map(({ integration_id, name, sealed }) => [`${integration_id} ${name}`, sealed]));
  }

  private openOne(integration: Integration, field: string, sealed: string | undefined): OpenedSecrets {
    const without = (message: string) => ({ secrets: {}, missing: [{ field, message }] });
    if (sealed === undefined) return without(`${field} is missing: enter it`);
    try {
      const { former, ...given }: Stored = JSON.parse(
        this.vault.open(sealed, integrationSecretPlace(integration.id, field)),
      );
      const own = [given, former].find((one) => one?.recipient === recipientOf(integration));
      return own
        ? { secrets: { [field]: own.secret }, missing: [] }
        : without(`${field} was entered for a different address or account: enter it again`);
    } catch (error) {
      if (error instanceof VaultError) return without(error.message);
      throw error;
    }
  }

  private async renew(integrationId: string, field: string, sealed: string): Promise<void> {
    const anew = this.resealed(integrationId, field, sealed);
    if (anew === null) return;
    await this.db
      .updateTable('integration_secrets')
      .set({ sealed: anew })
      .where('integration_id', '=', integrationId)
      .where('name', '=', field)
      .where('sealed', '=', sealed)
      .execute();
  }

  /** Null if it is sealed with the current key, or does not open. */
  private resealed(integrationId: string, field: string, sealed: string): string | null {
    try {
      return this.vault.reseal(sealed, integrationSecretPlace(integrationId, field));
    } catch (error) {
      if (error instanceof VaultError) return null;
      throw error;
    }
  }
}

function storedOf(given: Given, field: string, former: Former | null): Stored {
  const secret = former?.secrets[field];
  if (!former || secret === undefined) return given;
  return { ...given, former: { secret, recipient: recipientOf(former.integration) } };
}

/** Whom the secrets of an integration are shown to, and as whose. */
export const recipientOf = ({ subType, config }: Pick<Integration, 'subType' | 'config'>): string =>
  JSON.stringify([config.url, config[CONNECTOR_KINDS[subType].account]]);
