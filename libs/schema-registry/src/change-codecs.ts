import { Inject, Injectable, Logger } from '@nestjs/common';
import { ChangeCodec, type ChangeSchema, type ChangeTopic, changeSchemas, subjectOf } from '#libs/contracts';
import { type RegisteredSchema, RegisteredSchemas } from './registered-schemas.repository.ts';
import type { RegistryClient } from './registry-client.ts';
import { SchemaRegistryError } from './registry-error.ts';
import { SCHEMA_REGISTRY } from './token.ts';

/** How each topic is written: under the fixed ids, or under those of the schema registry if there is one. */
@Injectable()
export class ChangeCodecs {
  private readonly logger = new Logger(ChangeCodecs.name);
  private readonly codecs = new Map<ChangeTopic, Promise<ChangeCodec>>();

  constructor(
    @Inject(SCHEMA_REGISTRY) private readonly registry: RegistryClient | null,
    private readonly registered: RegisteredSchemas,
  ) {}

  /**
   * Registers and stores the topic's schemas once, also for concurrent calls. Each process registers them again, because
   * a registry may have lost them; if it cannot, the previous ids stay valid.
   * @throws SchemaRegistryError if the registry has not taken them, now or ever
   */
  of(topic: ChangeTopic): Promise<ChangeCodec> {
    const known = this.codecs.get(topic);
    if (known !== undefined) return known;
    const made = this.make(topic);
    this.codecs.set(topic, made);
    made.catch(() => this.codecs.delete(topic));
    return made;
  }

  private async make(topic: ChangeTopic): Promise<ChangeCodec> {
    const subject = subjectOf(topic);
    if (!this.registry) {
      await this.registered.remember(
        '',
        schemasOf(subject).map((schema) => registeredAs(schema, schema.id)),
      );
      return new ChangeCodec(topic);
    }
    try {
      return new ChangeCodec(topic, await this.register(this.registry, subject));
    } catch (error) {
      if (!(error instanceof SchemaRegistryError)) throw error;
      const before = await this.registered.inUse(subject);
      const latest = schemasOf(subject).at(-1)!;
      if (!before.some(({ schemaId }) => schemaId === latest.id)) throw error;
      this.logger.warn(`${error.message}; ${topic} continues with the schema ids from the registry cache`);
      return new ChangeCodec(topic, before);
    }
  }

  private async register(registry: RegistryClient, subject: string): Promise<RegisteredSchema[]> {
    const schemas: RegisteredSchema[] = [];
    // One after the other: a registry numbers versions in the order in which they come.
    for (const one of schemasOf(subject)) {
      schemas.push(registeredAs(one, await registry.register(subject, one.schema)));
    }
    // Before any record is written: its reader must find its id, also at a gateway of an earlier version.
    await this.registered.remember(registry.address, schemas);
    return schemas;
  }
}

const schemasOf = (subject: string) => changeSchemas().filter((schema) => schema.subject === subject);

const registeredAs = ({ id, subject, schema }: ChangeSchema, registryId: number): RegisteredSchema => ({
  subject,
  schemaId: id,
  registryId,
  schema: JSON.stringify(schema),
});
