import { hash } from 'node:crypto';
import type avro from 'avsc';
import type { Envelope, IntakeEvent, Observation, SignalReceived } from '#libs/domain';
import { decodeIntake, type SignalParts, signalParts } from './intake-codec.ts';
import { HEADER_BYTES } from './wire-format.ts';

/** Raise it if the fold decides otherwise about the same content: stored digests then match no signal. */
const FORM = 1;
/** Form, rules and place of the observation, before the content. */
const HEAD_BYTES = 12;
const SCRATCH_BYTES = 64 * 1024;
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

/** An event, and what identifies the content of its signal. */
export interface DecodedIntake {
  event: IntakeEvent;
  /** See `SignalBytes`; null for other events, and signals of the first schema. */
  bytes: SignalBytes | null;
}

/**
 * Decodes records in the order of a log, with the same result as `decodeIntake`. Consecutive signals with the same bytes of
 * an entity share its description.
 */
export class IntakeDecoder {
  private described: { bytes: Buffer; fields: object } | undefined;

  /** @throws as `decodeIntake` */
  decode(value: Buffer): DecodedIntake {
    const hasId = value.length > HEADER_BYTES && value[0] === 0;
    const parts = hasId ? signalParts.get(value.readInt32BE(1)) : undefined;
    const decoded = parts ? this.decodeSignal(value, parts()) : null;
    // The error of a corrupt record is that of the whole schema.
    return decoded ?? { event: decodeIntake(value), bytes: null };
  }

  private decodeSignal(value: Buffer, parts: SignalParts): DecodedIntake | null {
    const { head, entity, content, times, observations, rest } = parts;
    try {
      const first = decodeAt(head, value, HEADER_BYTES);
      const described = this.describedAt(value, first.offset) ?? decodeAt(entity, value, first.offset);
      const said = decodeAt(content, value, described.offset);
      const timed = decodeAt(times, value, said.offset);
      const observed = decodeAt(observations, value, timed.offset);
      const last = decodeAt(rest, value, observed.offset);
      if (last.offset !== value.length) return null;
      this.described = { bytes: value.subarray(first.offset, described.offset), fields: described.value };
      const { envelope, ...fields } = first.value as { envelope: Envelope };
      const payload = {
        type: 'SignalReceived',
        ...fields,
        ...described.value,
        ...said.value,
        ...timed.value,
        ...observed.value,
        ...last.value,
      } as SignalReceived;
      const bytes = new SignalBytes(
        envelope.rules,
        payload,
        value.subarray(described.offset, said.offset),
        value.subarray(timed.offset, observed.offset),
      );
      return { event: { envelope, payload }, bytes };
    } catch {
      return null;
    }
  }

  /** The description of the record before, if it is also at an offset of this one. */
  private describedAt(value: Buffer, offset: number): { value: object; offset: number } | undefined {
    if (!this.described) return undefined;
    const { bytes, fields } = this.described;
    const end = offset + bytes.length;
    return bytes.equals(value.subarray(offset, end)) ? { value: fields, offset: end } : undefined;
  }
}

/** @throws if the bytes end before the value */
function decodeAt(type: avro.Type, value: Buffer, offset: number): { value: object; offset: number } {
  const decoded = type.decode(value, offset);
  if (decoded.offset < 0) throw new Error('too short');
  return decoded;
}

/** The bytes of a signal that the fold compares with a finding: source, name, texts, and all observations. */
class SignalBytes {
  private readonly digests: string[] = [];

  constructor(
    private readonly rules: number,
    private readonly signal: SignalReceived,
    private readonly content: Buffer,
    private readonly observations: Buffer,
  ) {}

  /**
   * Identifies what a signal says about a finding, under the rules of its event: a finding that a signal has left as it
   * is, or has set, stays as it is under any signal with the same digest, until something else changes it. 128 bits of
   * SHA-256 as a UUID, of sealed texts as they are stored. Not of the times, which every signal updates.
   */
  readonly digestOf = (observation: Observation): string => {
    const place = this.signal.observations.indexOf(observation);
    this.digests[place] ??= this.digestAt(place);
    return this.digests[place];
  };

  private digestAt(place: number): string {
    const length = HEAD_BYTES + this.content.length + this.observations.length;
    const bytes = length > SCRATCH_BYTES ? Buffer.allocUnsafe(length) : scratch.subarray(0, length);
    bytes.writeUInt32BE(FORM, 0);
    bytes.writeUInt32BE(this.rules, 4);
    bytes.writeUInt32BE(place, 8);
    bytes.set(this.content, HEAD_BYTES);
    bytes.set(this.observations, HEAD_BYTES + this.content.length);
    const hex = hash('sha256', bytes, 'hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
  }
}
