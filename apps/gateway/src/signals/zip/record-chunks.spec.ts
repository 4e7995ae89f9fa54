import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeIntake } from '#libs/contracts';
import type { IntakeEvent } from '#libs/domain';
import { CHUNK_BYTES_MAX, recordChunks, recordsOf } from './record-chunks.ts';

/** Of about so many bytes. */
const event = (ordinal: number, bytes: number): IntakeEvent => ({
  envelope: {
    id: `event-${ordinal}`,
    entityKey: `machine:web${ordinal % 3}`,
    at: 1_700_000_000_000,
    rules: 1,
    settingsVersion: 0,
    cause: {
      kind: 'zip',
      uploadId: 'u',
      receivedAt: 1_700_000_000_000,
      entry: null,
      entryIndex: null,
      ordinal,
      count: 1,
      syncId: null,
      user: null,
      requestId: 'r'.repeat(bytes),
    },
    upload: null,
    encryptionKeyId: null,
  },
  payload: { type: 'AssessmentClosed', types: ['va'], names: ['web'], matching: 'name' },
});

describe('recordChunks', () => {
  it('keeps every event, in order, under its key, in bounded chunks or one larger event', () => {
    const sizes = fc.array(fc.constantFrom(10, 1_000, 600_000, CHUNK_BYTES_MAX + 5_000), { maxLength: 12 });
    fc.assert(
      fc.property(sizes, (bytes) => {
        const events = bytes.map((size, index) => event(index + 1, size));
        const chunks = [...recordChunks(events)];
        for (const chunk of chunks) {
          expect(chunk.bytes.length <= CHUNK_BYTES_MAX || chunk.keys.length === 1).toBe(true);
          expect(chunk.bytes.buffer.byteLength).toBe(chunk.bytes.length);
        }
        const records = chunks.flatMap(recordsOf);
        expect(records.map(({ value }) => decodeIntake(value))).toEqual(events);
        expect(records.map(({ key }) => key)).toEqual(events.map(({ envelope }) => envelope.entityKey));
      }),
      { numRuns: 30 },
    );
  });
});
