import type avro from 'avsc';
import { encodeAvro } from './encode-avro.ts';

/** The bytes have a schema id that this version does not know: it is older than the log (R-FOLD-7). */
export class UnknownSchemaError extends Error {
  override name = 'UnknownSchemaError';
}

/** The bytes do not decode under the schema that they name: they go to the quarantine (R-FOLD-7). */
export class CorruptRecordError extends Error {
  override name = 'CorruptRecordError';
}

/** A schema under its permanent id; each later version of the same name has a new id. */
export interface WireSchema<Name extends string = string> {
  /** The id in its records. */
  id: number;
  name: Name;
  /** Asked for at each use, so that it can be built at the first one. */
  type: () => avro.Type;
}

/** A zero byte and the schema id in 4 bytes. */
export const HEADER_BYTES = 5;

/** Records as bytes in Confluent wire format: a zero byte, the schema id in 4 bytes, the Avro body. */
export class WireFormat<Name extends string = string> {
  private readonly byId = new Map<number, WireSchema<Name>>();
  private readonly latest = new Map<Name, WireSchema<Name>>();
  /** Schema id → how the latest version of its name reads it, since its first record. */
  private readonly resolvers = new Map<number, avro.Resolver>();

  /** @param schemas the versions of a name in the order of their release */
  constructor(schemas: WireSchema<Name>[]) {
    for (const schema of schemas) {
      this.byId.set(schema.id, schema);
      this.latest.set(schema.name, schema);
    }
  }

  /** Under the latest version of the name. */
  encode(name: Name, record: unknown): Buffer {
    const { type } = this.latest.get(name)!;
    return this.stamp(name, encodeAvro(type(), record, HEADER_BYTES));
  }

  /** Says in the first 5 bytes, which are the header's, that the rest is of the latest version of the name. */
  stamp(name: Name, bytes: Buffer): Buffer {
    bytes[0] = 0;
    bytes.writeInt32BE(this.latest.get(name)!.id, 1);
    return bytes;
  }

  /**
   * The record as the latest version of its name has it.
   * @throws UnknownSchemaError if the schema id is not known
   * @throws CorruptRecordError if the bytes are not in wire format or do not decode
   * @throws Error if the latest version of the name cannot read the version of the record
   */
  decode(value: Buffer): { name: Name; record: unknown } {
    if (value.length < HEADER_BYTES || value[0] !== 0) {
      throw new CorruptRecordError('not in Confluent wire format');
    }
    const id = value.readInt32BE(1);
    const known = this.byId.get(id);
    if (!known) throw new UnknownSchemaError(`unknown schema id ${id}: upgrade the service`);
    const latest = this.latest.get(known.name)!;
    const resolver = latest === known ? undefined : this.resolverOf(id, latest, known);
    try {
      const decoded = latest.type().decode(value, HEADER_BYTES, resolver);
      if (decoded.offset !== value.length) throw new Error('trailing bytes');
      return { name: known.name, record: decoded.value };
    } catch (error) {
      throw new CorruptRecordError(`does not decode as ${known.name}: ${(error as Error).message}`);
    }
  }

  private resolverOf(id: number, latest: WireSchema<Name>, known: WireSchema<Name>): avro.Resolver {
    const made = this.resolvers.get(id);
    if (made) return made;
    const resolver = latest.type().createResolver(known.type());
    this.resolvers.set(id, resolver);
    return resolver;
  }
}
