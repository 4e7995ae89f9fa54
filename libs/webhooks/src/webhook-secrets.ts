import type { Kysely, Selectable } from 'kysely';
import { instant, type Schema } from '#libs/database';
import { type Vault, VaultError, webhookSecretPlace } from '#libs/vault';
import type { Webhook } from './webhook.ts';
import { webhookRows } from './webhook-rows.ts';

/** A secret of a webhook does not open: its deliveries cannot be signed. */
export class WebhookSecretError extends Error {
  override name = 'WebhookSecretError';

  constructor(
    message = 'its secret is encrypted with a different secret key: set POSTURE_PREVIOUS_SECRET_KEY to that key, or rotate the secret',
  ) {
    super(message);
  }
}

/** The webhook has changed since it was read, or was removed: its present secret may be for another address or account. */
export class WebhookChangedError extends WebhookSecretError {
  override name = 'WebhookChangedError';

  constructor() {
    super('the webhook has changed in the meantime: repeat the request');
  }
}

/** As the row has them, each sealed; the previous ones are one text, separated by spaces. */
export type SealedSecrets = Pick<
  Selectable<Schema['webhooks']>,
  'secret' | 'previous_secret' | 'previous_until'
>;

/** So many previous secrets sign besides the current one. */
const PREVIOUS_MAX = 4;

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
   * @param webhook as it was read: its secret is used at that address and by that account (R-KEY-3)
   * @throws WebhookSecretError
   */
  async open(
    { id: webhookId, url, options: { user } }: Pick<Webhook, 'id' | 'url' | 'options'>,
    now: number,
  ): Promise<[string, ...string[]]> {
    const row = await webhookRows(this.db)
      .select(['secret', 'previous_secret', 'previous_until'])
      .where('id', '=', webhookId)
      .executeTakeFirst();
    if (row?.url !== url || row.options.user !== user) throw new WebhookChangedError();
    const current = this.opened(webhookId, row.secret);
    if (current === null) throw new WebhookSecretError();
    await this.renew(webhookId, row.secret);
    return [current, ...this.previous(webhookId, row, now)];
  }

  /** The previous secrets after a rotation, sealed: those before the current one stay. Null: no secret opens. */
  replaced(webhookId: string, row: SealedSecrets, now: number): string | null {
    const signing = [this.opened(webhookId, row.secret) ?? [], this.previous(webhookId, row, now)].flat();
    return signing.length === 0 ? null : this.seal(webhookId, signing.slice(0, PREVIOUS_MAX).join(' '));
  }

  /** Removes expired previous secrets. */
  async forgetPrevious(now: number): Promise<void> {
    await this.db
      .updateTable('webhooks')
      .set({ previous_secret: null, previous_until: null })
      .where('previous_until', '<=', instant(now))
      .execute();
  }

  private previous(
    webhookId: string,
    { previous_secret: sealed, previous_until: until }: SealedSecrets,
    now: number,
  ): string[] {
    if (sealed === null || until === null || until <= now) return [];
    return this.opened(webhookId, sealed)?.split(' ') ?? [];
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
