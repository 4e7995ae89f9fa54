import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';

/** The upload of an `Idempotency-Key` of a credential. */
export interface KeyUse {
  uploadId: string;
  /** Receipt time of the first attempt: retries are stamped with it, so that their events are the same. */
  receivedAt: number;
  bodySha256: Buffer;
  /** Of the first attempt; null if its events do not depend on it. */
  settingsVersion: number | null;
  /**
   * The answer of the attempt that came through; null while none has. In the table, null of JSON once another attempt has
   * joined the first one, which earlier versions read as null too.
   */
  answer: unknown;
}

export interface KeyOwner {
  credentialId: string;
  key: string;
}

const KEY_USE = [
  'upload_id as uploadId',
  'received_at as receivedAt',
  'body_sha256 as bodySha256',
  'settings_version as settingsVersion',
  'answer',
] as const;

@Injectable()
export class IdempotencyRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * Takes the key if it is free or was last taken at `freeSince` or before.
   * Returns false if it is taken.
   */
  async claim({ credentialId, key }: KeyOwner, use: KeyUse, freeSince: number): Promise<boolean> {
    const values = {
      upload_id: use.uploadId,
      body_sha256: use.bodySha256,
      received_at: new Date(use.receivedAt),
      settings_version: use.settingsVersion,
      subjects_sha256: null,
      answer: null,
    };
    const claimed = await this.db
      .insertInto('idempotency_keys')
      .values({ credential_id: credentialId, key, ...values })
      .onConflict((conflict) =>
        conflict
          .columns(['credential_id', 'key'])
          .doUpdateSet(values)
          .where('idempotency_keys.received_at', '<=', sql<number>`${new Date(freeSince)}`),
      )
      .returning('upload_id')
      .executeTakeFirst();
    return claimed !== undefined;
  }

  async find({ credentialId, key }: KeyOwner): Promise<KeyUse | undefined> {
    return this.db
      .selectFrom('idempotency_keys')
      .select(KEY_USE)
      .where('credential_id', '=', credentialId)
      .where('key', '=', key)
      .executeTakeFirst();
  }

  /**
   * Notes that another attempt works with the upload: then the key is not freed if the first one is refused.
   * Returns the use as it is now; undefined if the key was freed since then.
   */
  async join({ credentialId, key }: KeyOwner, uploadId: string): Promise<KeyUse | undefined> {
    return this.db
      .updateTable('idempotency_keys')
      .set({ answer: sql`coalesce(answer, 'null')` })
      .where('credential_id', '=', credentialId)
      .where('key', '=', key)
      .where('upload_id', '=', uploadId)
      .returning(KEY_USE)
      .executeTakeFirst();
  }

  /**
   * Keeps the SHA-256 of the subjects of an upload, followed for a report by that of its converted ZIP, unless an earlier
   * attempt has. Returns the kept ones; undefined if the key is free again.
   */
  async keepDigests(
    { credentialId, key }: KeyOwner,
    uploadId: string,
    digests: Buffer,
  ): Promise<Buffer | undefined> {
    const row = await this.db
      .updateTable('idempotency_keys')
      .set({ subjects_sha256: sql`coalesce(subjects_sha256, ${digests})` })
      .where('credential_id', '=', credentialId)
      .where('key', '=', key)
      .where('upload_id', '=', uploadId)
      .returning('subjects_sha256')
      .executeTakeFirst();
    return row?.subjects_sha256 ?? undefined;
  }

  async recordAnswer({ credentialId, key }: KeyOwner, uploadId: string, answer: unknown): Promise<void> {
    await this.db
      .updateTable('idempotency_keys')
      .set({ answer: JSON.stringify(answer) })
      .where('credential_id', '=', credentialId)
      .where('key', '=', key)
      .where('upload_id', '=', uploadId)
      .execute();
  }

  /** Frees the key if it still belongs to this upload, which no attempt has completed and no other one has joined. */
  async release({ credentialId, key }: KeyOwner, uploadId: string): Promise<void> {
    await this.db
      .deleteFrom('idempotency_keys')
      .where('credential_id', '=', credentialId)
      .where('key', '=', key)
      .where('upload_id', '=', uploadId)
      .where('answer', 'is', null)
      .execute();
  }

  async deleteTakenBefore(at: number): Promise<void> {
    await this.db
      .deleteFrom('idempotency_keys')
      .where('received_at', '<', sql<number>`${new Date(at)}`)
      .execute();
  }
}
