import { Injectable } from '@nestjs/common';
import { KnownSchemas } from './known-schemas.ts';
import type { RegisteredSchemaDto } from './schema.dto.ts';
import { SchemaNotFoundError } from './schema-not-found.ts';

/** The responses of a Confluent schema registry, for every schema that records were ever written with. */
@Injectable()
export class SchemasService {
  constructor(private readonly known: KnownSchemas) {}

  /**
   * @param subject of the record with the id; an id that it does not know is still returned
   * @throws SchemaNotFoundError 40403
   */
  async byId(id: string, subject?: string): Promise<Pick<RegisteredSchemaDto, 'schema'>> {
    const found = (await this.known.byPreference()).filter((schema) => `${schema.id}` === id);
    const [best] = [...found.filter((schema) => isOfTopic(schema, subject)), ...found];
    if (!best) throw new SchemaNotFoundError(40403, `Schema ${id} not found`);
    return { schema: best.schema };
  }

  subjects(): string[] {
    return [...new Set(this.known.released().map(({ subject }) => subject))].sort();
  }

  /** @throws SchemaNotFoundError 40401 */
  async versions(subject: string): Promise<number[]> {
    return this.released(subject).map(({ version }) => version);
  }

  /**
   * Under the registry's id if there is a registry and it has given one.
   * @param version a number, or `latest`
   * @throws SchemaNotFoundError 40401 or 40402
   */
  async version(subject: string, version: string): Promise<RegisteredSchemaDto> {
    const schemas = this.released(subject);
    const found =
      version === 'latest' ? schemas.at(-1) : schemas.find((schema) => `${schema.version}` === version);
    if (!found) throw new SchemaNotFoundError(40402, `Version ${version} not found.`);
    return { ...found, id: await this.known.idInUse(found) };
  }

  private released(subject: string): RegisteredSchemaDto[] {
    const schemas = this.known.released().filter((schema) => schema.subject === subject);
    if (schemas.length === 0) throw new SchemaNotFoundError(40401, `Subject '${subject}' not found.`);
    return schemas;
  }
}

/** Readers name the subject after only the topic, also if that has several (`posture.intake-value`). */
const isOfTopic = (schema: Pick<RegisteredSchemaDto, 'subject'>, subject?: string): boolean =>
  subject !== undefined && topicOf(schema.subject) === topicOf(subject);

const topicOf = (subject: string): string => subject.split('-')[0]!;
