import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CURRENT_RULES,
  DEFAULT_SETTINGS,
  type IntakeEvent,
  readSignal,
  type Signal,
  type SignalContext,
  type SignalReading,
  signalEventId,
  uploadId,
} from '#libs/domain';
import { signalArbitrary } from '../../../../test/support/signal-arbitrary.ts';
import { decodeIntake, encodeIntake } from '../intake-codec.ts';
import { parseJson } from './parse-json.ts';
import { parseSignal } from './parse-signal.ts';
import { checkSignal } from './signal-schema.ts';

const RECEIVED_AT = Date.parse('2026-03-01T12:00:00.000Z');

const contextArbitrary: fc.Arbitrary<SignalContext> = fc.record({
  route: fc.constantFrom('json' as const, 'zip' as const),
  receivedAt: fc.constant(RECEIVED_AT),
  rules: fc.record({
    importAssets: fc.boolean(),
    updateMetadata: fc.boolean(),
    overrideAccepted: fc.boolean(),
  }),
  settings: fc.constantFrom(
    DEFAULT_SETTINGS,
    { ...DEFAULT_SETTINGS, platformVersion: '4.0', assetMatching: 'fqdn' as const },
    {
      ...DEFAULT_SETTINGS,
      customFields: [
        {
          id: 'constructor',
          createdAt: 0,
          name: 'constructor',
          type: 'Any' as const,
          multiValued: false,
          options: [],
          recognisedAt: 0,
        },
      ],
    },
  ),
});

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const UPLOAD = uploadId('credential', 'key');

function eventOf({ entityKey, payload }: SignalReading & { ok: true }): IntakeEvent {
  const id = signalEventId(UPLOAD, 0);
  return {
    envelope: {
      id,
      entityKey,
      at: RECEIVED_AT,
      rules: CURRENT_RULES,
      settingsVersion: 0,
      cause: {
        kind: 'zip',
        uploadId: UPLOAD,
        receivedAt: RECEIVED_AT,
        entry: 'a.json',
        entryIndex: 0,
        ordinal: 1,
        count: 1,
        syncId: null,
        user: 'ana',
        requestId: null,
      },
      upload: null,
      encryptionKeyId: null,
    },
    payload,
  };
}

describe('properties of signals', () => {
  it('the schema accepts each generated signal, and readSignal returns a result for each (total)', () => {
    let taken = 0;
    fc.assert(
      fc.property(signalArbitrary, contextArbitrary, (signal, context) => {
        const parsed = parseSignal(bytesOf(signal));
        expect(parsed.ok ? [] : parsed.problems).toEqual([]);
        const read = readSignal((parsed as { signal: Signal }).signal, context);
        if (read.ok) taken++;
        else expect(read.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('every reading survives encodeIntake and decodeIntake', () => {
    fc.assert(
      fc.property(signalArbitrary, contextArbitrary, (signal, context) => {
        const parsed = parseSignal(bytesOf(signal));
        const read = parsed.ok ? readSignal(parsed.signal, context) : parsed;
        fc.pre(read.ok);
        const event = eventOf(read);
        const { envelope, payload } = decodeIntake(encodeIntake(event));
        expect(JSON.parse(JSON.stringify({ envelope, payload }))).toEqual(JSON.parse(JSON.stringify(event)));
      }),
      { numRuns: 500 },
    );
  });

  it('null for every absent field reads the same (R-SIG-2)', () => {
    fc.assert(
      fc.property(signalArbitrary, contextArbitrary, (signal, context) => {
        const bare = parseSignal(bytesOf(signal));
        const nulls = parseSignal(bytesOf(withNulls(signal)));
        expect(nulls).toEqual(bare);
        if (bare.ok && nulls.ok)
          expect(readSignal(nulls.signal, context)).toEqual(readSignal(bare.signal, context));
      }),
      { numRuns: 300 },
    );
  });

  it('equal content gives equal bytes for any order of tags', () => {
    fc.assert(
      fc.property(signalArbitrary, contextArbitrary, (signal, context) => {
        const one = readSignal(signal, context);
        const other = readSignal({ ...signal, tags: reversed(signal.tags) }, context);
        expect(JSON.stringify(other)).toBe(JSON.stringify(one));
      }),
      { numRuns: 300 },
    );
  });
});

describe('hostile input', () => {
  it('arbitrary bytes never throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.string().map(Buffer.from)), (bytes) => {
        expect(typeof parseSignal(bytes).ok).toBe('boolean');
        expect(typeof parseJson(bytes).ok).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });

  it('arbitrary JSON never throws, here nor when it is read', () => {
    const json = fc.oneof(
      fc.jsonValue(),
      fc.tuple(signalArbitrary, fc.jsonValue()).map(([s, odd]) => spoiled(s, odd)),
    );
    fc.assert(
      fc.property(json, contextArbitrary, (value, context) => {
        const parsed = parseSignal(bytesOf(value));
        if (parsed.ok) expect(typeof readSignal(parsed.signal, context).ok).toBe('boolean');
        else expect(parsed.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('a truncated or altered signal never throws, and an error names its line', () => {
    const cut = fc.tuple(signalArbitrary, fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(cut, ([signal, share]) => {
        const bytes = bytesOf(signal);
        // From the first key on, without its quote: `"id"` by itself would be JSON.
        const parsed = parseJson(bytes.subarray(2, Math.floor(bytes.length * share)));
        expect(parsed.ok || parsed.message).toEqual(
          expect.stringMatching(/^line \d+, column \d+: |UTF-8|empty/),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('the number of problems is bounded however many there are', () => {
    const signal = { id: 'x', securityContexts: Array.from({ length: 100_000 }, () => 1), tags: {} };
    signal.tags = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, [[1]]]));
    expect(checkSignal(signal).length).toBe(20);
  });
});

/** Puts null if a field is absent, at every depth that the document names. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return [...value.map(withNulls), null];
  if (typeof value !== 'object' || value === null) return value;
  const filled = Object.entries(value).map(([key, child]) => [key, withNulls(child)]);
  return { absent: null, ...Object.fromEntries(filled), alsoAbsent: { nothing: null } };
}

const reversed = (tags: Signal['tags']) => tags && Object.fromEntries(Object.entries(tags).reverse());

/** A signal with one of its fields replaced by something else. */
function spoiled(signal: Signal, odd: unknown): unknown {
  const keys = Object.keys(signal);
  const key = keys[JSON.stringify(odd).length % keys.length]!;
  return { ...signal, [key]: odd };
}
