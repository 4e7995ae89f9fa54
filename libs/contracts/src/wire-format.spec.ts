import { describe, expect, it } from '@jest/globals';
import avro from 'avsc';
import { schemaType } from './schema-type.ts';
import { CorruptRecordError, UnknownSchemaError, WireFormat } from './wire-format.ts';

const note = (...fields: object[]) => {
  const type = avro.Type.forSchema({
    type: 'record',
    name: 'Note',
    fields: [{ name: 'text', type: 'string' }, ...fields],
  } as avro.Schema);
  return () => type;
};
const first = { id: 7, name: 'note', type: note() };
const second = {
  id: 9,
  name: 'note',
  type: note({ name: 'author', type: ['null', 'string'], default: null }),
};

describe('the wire format', () => {
  it('is a zero byte, the schema id in four bytes, and the Avro body', () => {
    expect(new WireFormat([first]).encode('note', { text: 'ab' })).toEqual(
      Buffer.from([0, 0, 0, 0, 7, 4, 97, 98]),
    );
  });

  it('gives back records of any size', () => {
    const format = new WireFormat([first]);
    for (const length of [0, 1_000, 1_017, 1_018, 1_019, 2_000_000]) {
      const record = { text: 'x'.repeat(length) };
      expect(format.decode(format.encode('note', record))).toEqual({ name: 'note', record });
    }
  });

  it('writes the latest version of a schema and reads older records as that', () => {
    const format = new WireFormat([first, second]);
    expect(format.encode('note', { text: 'a', author: 'b' }).readInt32BE(1)).toBe(9);
    const old = new WireFormat([first]).encode('note', { text: 'a' });
    expect(format.decode(old)).toEqual({ name: 'note', record: { text: 'a', author: null } });
  });

  it('reads no record with an unknown schema id', () => {
    const unknown = new WireFormat([{ ...first, id: 5 }]).encode('note', { text: 'a' });
    expect(() => new WireFormat([first]).decode(unknown)).toThrow(UnknownSchemaError);
  });

  it('does not take a record for corrupt because the latest version cannot read its version', () => {
    const breaking = { id: 9, name: 'note', type: note({ name: 'author', type: 'string' }) };
    const old = new WireFormat([first]).encode('note', { text: 'a' });
    const decode = () => new WireFormat([first, breaking]).decode(old);
    expect(decode).toThrow(/author/);
    expect(decode).not.toThrow(CorruptRecordError);
  });

  it('distinguishes an unknown schema from bytes that do not decode', () => {
    const format = new WireFormat([first]);
    const good = format.encode('note', { text: 'ab' });
    const unknown = Buffer.from(good);
    unknown.writeInt32BE(8, 1);
    expect(() => format.decode(unknown)).toThrow(UnknownSchemaError);
    const corrupt = [
      Buffer.alloc(0),
      good.subarray(0, 4),
      good.subarray(0, -1),
      Buffer.concat([good, good]),
      Buffer.from([1, ...good.subarray(1)]),
    ];
    for (const bytes of corrupt) expect(() => format.decode(bytes)).toThrow(CorruptRecordError);
  });

  it.each<[string, avro.Schema, number[], unknown]>([
    ['an array', { type: 'array', items: 'string' }, [2, 2, 97, 0], ['a']],
    ['a map', { type: 'map', values: 'string' }, [2, 2, 97, 2, 98, 0], { a: 'b' }],
  ])('rejects %s whose count is greater than the bytes that are left', (_, type, whole, items) => {
    const schema = { type: 'record', name: 'Bounded', fields: [{ name: 'items', type }] } as avro.Schema;
    const made = schemaType(schema, {});
    const format = new WireFormat([{ id: 7, name: 'bounded', type: () => made }]);
    const record = (body: number[]) => Buffer.from([0, 0, 0, 0, 7, ...body]);
    expect(format.decode(record(whole)).record).toEqual({ items });
    // A count of 2^34, as one wrong byte makes it, and as a block with its size.
    for (const count of [
      [128, 128, 128, 128, 128, 1],
      [255, 255, 255, 255, 127, 2],
    ]) {
      expect(() => format.decode(record([...count, ...whole.slice(1)]))).toThrow(CorruptRecordError);
    }
  });
});
