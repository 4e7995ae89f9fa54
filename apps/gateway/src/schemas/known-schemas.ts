import { Injectable } from '@nestjs/common';
import { changeSchemas, intakeSchemas } from '#libs/contracts';
import { isConnectionError } from '#libs/database';
import { INTAKE_TOPIC } from '#libs/intake';
import { type RegisteredSchema, RegisteredSchemas } from '#libs/schema-registry';
import type { RegisteredSchemaDto } from './schema.dto.ts';

/** Every schema that the service writes records with, under its fixed id (`schemas/ids.json`). */
const releasedSchemas = (): RegisteredSchemaDto[] =>
  [
    ...changeSchemas(),
    // Several kinds of records in one topic: a subject for each.
    ...intakeSchemas().map(({ id, recordName, version, schema }) => ({
      id,
      subject: `${INTAKE_TOPIC}-${recordName}`,
      version,
      schema,
    })),
  ].map(({ subject, id, version, schema }) => ({ subject, id, version, schema: JSON.stringify(schema) }));

/** The schemas of this version's files, with the ids that registries have given them, and those of later versions. */
@Injectable()
export class KnownSchemas {
  /** Built when first asked for: it takes a tenth of a second, and most gateways are never asked. */
  private builtSchemas: readonly RegisteredSchemaDto[] | undefined;
  private lastRead: RegisteredSchema[] | undefined;

  constructor(private readonly registered: RegisteredSchemas) {}

  /** Under their fixed ids, those of a subject in the order of their release. */
  released(): readonly RegisteredSchemaDto[] {
    this.builtSchemas ??= releasedSchemas();
    return this.builtSchemas;
  }

  /**
   * Under every id there is. If two have one id, the one of the topics that are subscribed to comes first: registries
   * count from 1, as ids.json does for the intake.
   */
  async byPreference(): Promise<Omit<RegisteredSchemaDto, 'version'>[]> {
    const given = (await this.readRegistered()).flatMap(
      ({ schemaId, registryId, subject, schema: stored }) => {
        const known = this.released().find(({ id }) => id === schemaId);
        // Not known: a later version of the service has registered it.
        const schema = known?.schema ?? stored;
        return schema === null ? [] : [{ id: registryId, subject, schema }];
      },
    );
    return [...given.reverse(), ...this.released()];
  }

  /** The current id of a released schema. */
  async idInUse({ id, subject }: RegisteredSchemaDto): Promise<number> {
    const given = await this.registered.inUse(subject);
    return given.findLast(({ schemaId }) => schemaId === id)?.registryId ?? id;
  }

  /** Ids are never taken back, so while the database is unavailable those of before hold. */
  private async readRegistered(): Promise<RegisteredSchema[]> {
    try {
      this.lastRead = await this.registered.all();
      return this.lastRead;
    } catch (error) {
      if (this.lastRead && isConnectionError(error)) return this.lastRead;
      throw error;
    }
  }
}
