import { Injectable } from '@nestjs/common';
import { ChangeCodec, type ChangeEvent, type ChangeTopic, UnknownSchemaError } from '#libs/contracts';
import { RegisteredSchemas } from './registered-schemas.repository.ts';

/** Understands the changes that the service has published, under whichever ids; for its own consumers. */
@Injectable()
export class ChangeDecoder {
  private readonly codecs = new Map<ChangeTopic, ChangeCodec>();

  constructor(private readonly registered: RegisteredSchemas) {}

  /**
   * @param values of records of the topic, without tombstones
   * @throws UnknownSchemaError if a schema id is neither in ids.json nor in the database
   * @throws CorruptRecordError if bytes are not in wire format or do not decode
   */
  async decode(topic: ChangeTopic, values: readonly Buffer[]): Promise<ChangeEvent[]> {
    const codec = this.codecs.get(topic) ?? (await this.load(topic));
    try {
      return values.map((value) => codec.decode(value));
    } catch (error) {
      if (!(error instanceof UnknownSchemaError)) throw error;
      // Registered since the ids were read: they are in the database before the first record under them.
      const later = await this.load(topic);
      return values.map((value) => later.decode(value));
    }
  }

  private async load(topic: ChangeTopic): Promise<ChangeCodec> {
    const codec = new ChangeCodec(topic, await this.registered.all());
    this.codecs.set(topic, codec);
    return codec;
  }
}
