import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import type { RegisteredId } from '#libs/contracts';
import { DATABASE, type Schema } from '#libs/database';
import type { RegistryClient } from './registry-client.ts';
import { SCHEMA_REGISTRY } from './token.ts';

export interface RegisteredSchema extends RegisteredId {
  subject: string;
  /** Its text; null if a version that stored only ids has registered it. */
  schema: string | null;
}

const COLUMNS = ['subject', 'schema_id as schemaId', 'registry_id as registryId', 'schema'] as const;

/**
 * The schemas that records are written with, and the ids that schema registries have given them, so that records are
 * understood while no registry answers, and by earlier versions.
 */
@Injectable()
export class RegisteredSchemas {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(SCHEMA_REGISTRY) private readonly registry: Pick<RegistryClient, 'address'> | null,
  ) {}

  /** All that were ever given, by any registry or without one; those of the registry in use last, the latest last. */
  async all(): Promise<RegisteredSchema[]> {
    return this.db
      .selectFrom('registered_schemas')
      .select(COLUMNS)
      .orderBy(sql`registry = ${this.registry?.address ?? ''}`)
      .orderBy('registered_at')
      .orderBy('registry_id')
      .execute();
  }

  /** Those of a subject that the registry in use has given, the latest last; none if there is no registry. */
  async inUse(subject: string): Promise<RegisteredSchema[]> {
    if (!this.registry) return [];
    return this.db
      .selectFrom('registered_schemas')
      .select(COLUMNS)
      .where('registry', '=', this.registry.address)
      .where('subject', '=', subject)
      .orderBy('registered_at')
      .orderBy('registry_id')
      .execute();
  }

  /** The current ids of the registry at an address; without one, the address is empty. */
  async remember(registry: string, schemas: readonly RegisteredSchema[]): Promise<void> {
    await this.db
      .insertInto('registered_schemas')
      .values(
        schemas.map(({ subject, schemaId, registryId, schema }) => ({
          registry,
          subject,
          schema_id: schemaId,
          registry_id: registryId,
          schema,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['registry', 'schema_id', 'registry_id'])
          .doUpdateSet({ registered_at: sql<number>`now()` as never, schema: sql<string>`excluded.schema` }),
      )
      .execute();
  }
}
