import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import type { RegisteredId } from '#libs/contracts';
import { DATABASE, type Schema } from '#libs/database';
import type { RegistryClient } from './registry-client.ts';
import { SCHEMA_REGISTRY } from './token.ts';

export interface RegisteredSchema extends RegisteredId {
  subject: string;
}

/** The ids that schema registries have given, so that records under them are understood while no registry answers. */
@Injectable()
export class RegisteredSchemas {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(SCHEMA_REGISTRY) private readonly registry: Pick<RegistryClient, 'address'> | null,
  ) {}

  /** All that were ever given, by any registry; those of the registry in use last, the latest last. */
  async all(): Promise<RegisteredSchema[]> {
    const rows = await this.db
      .selectFrom('registered_schemas')
      .select(['subject', 'schema_id', 'registry_id'])
      .orderBy(sql`registry = ${this.registry?.address ?? ''}`)
      .orderBy('registered_at')
      .orderBy('registry_id')
      .execute();
    return rows.map(schemaOf);
  }

  /** Those of a subject that the registry in use has given, the latest last; none if there is no registry. */
  async inUse(subject: string): Promise<RegisteredSchema[]> {
    if (!this.registry) return [];
    const rows = await this.db
      .selectFrom('registered_schemas')
      .select(['subject', 'schema_id', 'registry_id'])
      .where('registry', '=', this.registry.address)
      .where('subject', '=', subject)
      .orderBy('registered_at')
      .orderBy('registry_id')
      .execute();
    return rows.map(schemaOf);
  }

  /** The current ids of the registry at an address. */
  async remember(registry: string, schemas: readonly RegisteredSchema[]): Promise<void> {
    await this.db
      .insertInto('registered_schemas')
      .values(
        schemas.map(({ subject, schemaId, registryId }) => ({
          registry,
          subject,
          schema_id: schemaId,
          registry_id: registryId,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['registry', 'schema_id', 'registry_id'])
          .doUpdateSet({ registered_at: sql<number>`now()` as never }),
      )
      .execute();
  }
}

interface Row {
  subject: string;
  schema_id: number;
  registry_id: number;
}

const schemaOf = ({ subject, schema_id, registry_id }: Row): RegisteredSchema => ({
  subject,
  schemaId: schema_id,
  registryId: registry_id,
});
