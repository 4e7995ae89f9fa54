import type { Kysely } from 'kysely';
import { instant, type Schema } from '#libs/database';
import { type Vault, VaultError, webhookSecretPlace } from '#libs/vault';

/** A secret of a webhook does not open: its deliveries cannot be signed. */
export class WebhookSecretError extends Error {
  override name = 'WebhookSecretError';

  constructor() {
    super(
      'its secret is encrypted with a different secret key: set POSTURE_PREVIOUS_SECRET_KEY to that key, or rotate the secret',
    );
  }
}

/** Secrets of webhooks at rest. */
export class WebhookSecrets {
  constructor(
    private readonly db: Kysely<Schema>,
    private readonly vault: Vault,
  ) {}

  seal(webhookId: string, secret: string): string {
    return this.vault.seal(secret, webhookSecretPlace(webhookId));
  }

  /**
   * The signing secrets, the current one first. Secrets that an earlier key has sealed are stored again under the
   * current one.
   * @throws WebhookSecretError; none if there is no such webhook
   */
  async open(webhookId: string, now: number): Promise<string[]> {
    const row = await this.db
      .selectFrom('webhooks')
      .select(['secret', 'previous_secret', 'previous_until'])
      .where('id', '=', webhookId)
      .executeTakeFirst();
    if (!row) return [];
    const current = this.opened(webhookId, row.secret);
    if (current === null) throw new WebhookSecretError();
    await this.renew(webhookId, row.secret);
    const isInForce = row.previous_until !== null && row.previous_until > now;
    const previous = isInForce && row.previous_secret !== null && this.opened(webhookId, row.previous_secret);
    return previous ? [current, previous] : [current];
  }

  /** Removes expired previous secrets. */
  async forgetPrevious(now: number): Promise<void> {
    await this.db
      .updateTable('webhooks')
      .set({ previous_secret: null, previous_until: null })
      .where('previous_until', '<=', instant(now))
      .execute();
  }

  /** Null if it does not open. */
  private opened(webhookId: string, sealed: string): string | null {
    try {
      return this.vault.open(sealed, webhookSecretPlace(webhookId));
    } catch (error) {
      if (error instanceof VaultError) return null;
      throw error;
    }
  }

  private async renew(webhookId: string, sealed: string): Promise<void> {
    const anew = this.vault.reseal(sealed, webhookSecretPlace(webhookId));
    if (anew === null) return;
    await this.db
      .updateTable('webhooks')
      .set({ secret: anew })
      .where('id', '=', webhookId)
      .where('secret', '=', sealed)
      .execute();
  }
}
