import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import { type Vault, VaultError } from '#libs/vault';

/** A secret of a webhook does not open: its deliveries cannot be signed. */
export class WebhookSecretError extends Error {
  override name = 'WebhookSecretError';

  constructor() {
    super(
      'its secret was sealed with another secret key: give that one as POSTURE_PREVIOUS_SECRET_KEY, or rotate the secret',
    );
  }
}

/** Sealed for one webhook, and open for no other (D27). */
const placeOf = (webhookId: string) => ({ integration: webhookId, field: 'secret' });

/** Secrets of webhooks at rest. */
export class WebhookSecrets {
  constructor(
    private readonly db: Kysely<Schema>,
    private readonly vault: Vault,
  ) {}

  seal(webhookId: string, secret: string): string {
    return this.vault.seal(secret, placeOf(webhookId));
  }

  /**
   * Those that sign now, the current one first. What an earlier key has sealed is stored anew under the current one.
   * @throws WebhookSecretError; none where there is no such webhook
   */
  async open(webhookId: string, now: number): Promise<string[]> {
    const row = await this.db
      .selectFrom('webhooks')
      .select(['secret', 'previous_secret', 'previous_until'])
      .where('id', '=', webhookId)
      .executeTakeFirst();
    if (!row) return [];
    const previous = row.previous_until !== null && row.previous_until > now ? row.previous_secret : null;
    try {
      const sealed = [row.secret, ...(previous === null ? [] : [previous])];
      const secrets = sealed.map((one) => this.vault.open(one, placeOf(webhookId)));
      await this.renew(webhookId, row.secret);
      return secrets;
    } catch (error) {
      throw error instanceof VaultError ? new WebhookSecretError() : error;
    }
  }

  private async renew(webhookId: string, sealed: string): Promise<void> {
    const anew = this.vault.reseal(sealed, placeOf(webhookId));
    if (anew === null) return;
    await this.db
      .updateTable('webhooks')
      .set({ secret: anew })
      .where('id', '=', webhookId)
      .where('secret', '=', sealed)
      .execute();
  }
}
