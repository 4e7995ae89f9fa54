import { Injectable } from '@nestjs/common';
import { changeSchemas, intakeSchemas } from '#libs/contracts';
import { INTAKE_TOPIC } from '#libs/intake';
import type { RegisteredSchemaDto } from './schema.dto.ts';
import { SchemaNotFoundError } from './schema-not-found.ts';

/** Every schema that the service writes records with; ids never change (`schemas/ids.json`). */
const registered: RegisteredSchemaDto[] = [
  ...changeSchemas(),
  // Several kinds of records in one topic: a subject for each.
  ...intakeSchemas().map(({ id, recordName, version, schema }) => ({
    id,
    subject: `${INTAKE_TOPIC}-${recordName}`,
    version,
    schema,
  })),
].map(({ subject, id, version, schema }) => ({ subject, id, version, schema: JSON.stringify(schema) }));

/** What a Confluent schema registry would answer, read from the files of this version. */
@Injectable()
export class SchemasService {
  /** @throws SchemaNotFoundError 40403 */
  byId(id: string): Pick<RegisteredSchemaDto, 'schema'> {
    const found = registered.find((schema) => `${schema.id}` === id);
    if (!found) throw new SchemaNotFoundError(40403, `Schema ${id} not found`);
    return { schema: found.schema };
  }

  subjects(): string[] {
    return [...new Set(registered.map(({ subject }) => subject))].sort();
  }

  /** @throws SchemaNotFoundError 40401 */
  versions(subject: string): number[] {
    return this.schemasOf(subject).map(({ version }) => version);
  }

  /**
   * @param version a number, or `latest`
   * @throws SchemaNotFoundError 40401 or 40402
   */
  version(subject: string, version: string): RegisteredSchemaDto {
    const schemas = this.schemasOf(subject);
    const found =
      version === 'latest' ? schemas.at(-1) : schemas.find((schema) => `${schema.version}` === version);
    if (!found) throw new SchemaNotFoundError(40402, `Version ${version} not found.`);
    return found;
  }

  private schemasOf(subject: string): RegisteredSchemaDto[] {
    const schemas = registered.filter((schema) => schema.subject === subject);
    if (schemas.length === 0) throw new SchemaNotFoundError(40401, `Subject '${subject}' not found.`);
    return schemas;
  }
}
