import avro from 'avsc';

/** Where avsc is in the bytes that it reads. It does not publish the type. */
interface Tap {
  pos: number;
  buf: Buffer;
  readLong(): number;
  skipLong(): void;
  readString(): string;
}

interface Readable {
  _read(tap: Tap): unknown;
}

/**
 * Counts are checked against the bytes that are left: each item of the schemas has at least one. Without it, one wrong byte
 * in a count keeps a reader of the log busy, and filling its memory, long after the end of the record.
 */
class BoundedArray extends avro.types.ArrayType {
  _read(tap: Tap): unknown[] {
    const items: unknown[] = [];
    const type = this.itemsType as unknown as Readable;
    for (let count = countAt(tap); count > 0; count = countAt(tap)) {
      for (let i = 0; i < count; i++) items.push(type._read(tap));
    }
    return items;
  }
}

class BoundedMap extends avro.types.MapType {
  _read(tap: Tap): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    const type = this.valuesType as unknown as Readable;
    for (let count = countAt(tap); count > 0; count = countAt(tap)) {
      for (let i = 0; i < count; i++) {
        const key = tap.readString();
        values[key] = type._read(tap);
      }
    }
    return values;
  }
}

/** Of a block; a negative one has the size of the block behind it. */
function countAt(tap: Tap): number {
  const given = tap.readLong();
  if (given < 0) tap.skipLong();
  const count = Math.abs(given);
  // The reason that the quarantine of earlier versions has for records that are cut off.
  if (count > 0 && count > tap.buf.length - tap.pos) throw new Error('trailing bytes');
  return count;
}

const BOUNDED = { array: BoundedArray, map: BoundedMap };

/** The type of a schema. Reading it takes time and memory in proportion to the bytes, also of damaged ones. */
export const schemaType = (schema: avro.Schema, options: Partial<avro.ForSchemaOptions>): avro.Type =>
  avro.Type.forSchema(schema, {
    ...options,
    typeHook: (attributes, opts) => {
      const { type } = attributes as { type?: unknown };
      return type === 'array' || type === 'map' ? new BOUNDED[type](attributes as never, opts) : undefined;
    },
  });
