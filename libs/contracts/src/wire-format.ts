import type avro from 'avsc';
import { encodeAvro } from './encode-avro.ts';

/** The bytes carry a schema id that this version does not know: it is older than the log (rule 7). */
export class UnknownSchemaError extends Error {
  override name = 'UnknownSchemaError';
}

/** The bytes do not decode under the schema that they name (rule 7: to the quarantine). */
export class CorruptRecordError extends Error {
  override name = 'CorruptRecordError';
}

/** A schema under its id, for ever; a later version of the same name has an id of its own. */
export interface WireSchema<Name extends string = string> {
  /** What records of it are written under. */
  id: number;
  name: Name;
  type: avro.Type;
  /** Every id that says this schema when read; left out: `id` alone. No two schemas share one. */
  readIds?: readonly number[];
}

/** A zero byte and the schema id in 4 bytes. */
export const HEADER_BYTES = 5;

/** Records as bytes in Confluent wire format: a zero byte, the schema id in 4 bytes, the Avro body. */
export class WireFormat<Name extends string = string> {
  private readonly byId = new Map<number, WireSchema<Name>>();
  private readonly latest = new Map<Name, WireSchema<Name>>();
  /** Schema id → how the latest version of its name reads it; none for the latest itself. */
  private readonly resolvers = new Map<number, avro.Resolver>();

  /** @param schemas the versions of a name in the order of their release; each must read those before it */
  constructor(schemas: WireSchema<Name>[]) {
    for (const schema of schemas) {
      for (const id of readIdsOf(schema)) this.byId.set(id, schema);
      this.latest.set(schema.name, schema);
    }
    for (const schema of schemas) {
      const reader = this.latest.get(schema.name)!;
      if (reader === schema) continue;
      const resolver = reader.type.createResolver(schema.type);
      for (const id of readIdsOf(schema)) this.resolvers.set(id, resolver);
    }
  }

  /** Under the latest version of the name. */
  encode(name: Name, record: unknown): Buffer {
    const { type } = this.latest.get(name)!;
    return this.stamp(name, encodeAvro(type, record, HEADER_BYTES));
  }

  /** Says in the first 5 bytes, which are the header's, that the rest is of the latest version of the name. */
  stamp(name: Name, bytes: Buffer): Buffer {
    bytes[0] = 0;
    bytes.writeInt32BE(this.latest.get(name)!.id, 1);
    return bytes;
  }

  /**
   * The record as the latest version of its name has it.
   * @throws UnknownSchemaError where the schema id is not known
   * @throws CorruptRecordError where the bytes are not in wire format or do not decode
   */
  decode(value: Buffer): { name: Name; record: unknown } {
    if (value.length < HEADER_BYTES || value[0] !== 0) {
      throw new CorruptRecordError('not in Confluent wire format');
    }
    const id = value.readInt32BE(1);
    const known = this.byId.get(id);
    if (!known) throw new UnknownSchemaError(`schema id ${id} is not known to this version: upgrade it`);
    try {
      const reader = this.latest.get(known.name)!.type;
      const decoded = reader.decode(value, HEADER_BYTES, this.resolvers.get(id));
      if (decoded.offset !== value.length) throw new Error('trailing bytes');
      return { name: known.name, record: decoded.value };
    } catch (error) {
      throw new CorruptRecordError(`does not decode as ${known.name}: ${(error as Error).message}`);
    }
  }
}

const readIdsOf = ({ id, readIds = [id] }: WireSchema): readonly number[] => readIds;
