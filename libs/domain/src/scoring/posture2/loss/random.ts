import { createHash } from 'node:crypto';

/**
 * SplitMix64: the same numbers on every machine and in every language. Words are kept in two halves: a simulation takes
 * millions of numbers, and a BigInt for each takes many times as long.
 */
export class SplitMix64 {
  private stateHigh: number;
  private stateLow: number;
  /** Halves of the last number. */
  private high = 0;
  private low = 0;

  constructor(seed: bigint) {
    this.stateHigh = Number(BigInt.asUintN(32, seed >> 32n));
    this.stateLow = Number(BigInt.asUintN(32, seed));
  }

  next(): bigint {
    this.step();
    return (BigInt(this.high) << 32n) | BigInt(this.low);
  }

  /** Above 0 and below 1. */
  uniform(): number {
    this.step();
    return (this.high * 2 ** 21 + (this.low >>> 11) + 0.5) * 2 ** -53;
  }

  private step(): void {
    // The increment is 0x9e3779b97f4a7c15, the factors are 0xbf58476d1ce4e5b9 and 0x94d049bb133111eb.
    const low = this.stateLow + 0x7f4a7c15;
    this.stateLow = low >>> 0;
    this.stateHigh = (this.stateHigh + 0x9e3779b9 + (low > 0xffffffff ? 1 : 0)) >>> 0;
    this.high = this.stateHigh;
    this.low = this.stateLow;
    this.shift(30);
    this.multiply(0xbf58476d, 0x1ce4e5b9);
    this.shift(27);
    this.multiply(0x94d049bb, 0x133111eb);
    this.shift(31);
  }

  /** x ^ (x >> bits) */
  private shift(bits: number): void {
    this.low = (this.low ^ ((this.low >>> bits) | (this.high << (32 - bits)))) >>> 0;
    this.high = (this.high ^ (this.high >>> bits)) >>> 0;
  }

  /** x × factor, modulo 2⁶⁴. */
  private multiply(high: number, low: number): void {
    const crossed = Math.imul(this.low, high) + Math.imul(this.high, low);
    this.high = (upperHalf(this.low, low) + crossed) >>> 0;
    this.low = Math.imul(this.low, low) >>> 0;
  }
}

/** The upper 32 bits of the product of two unsigned 32-bit integers. */
function upperHalf(a: number, b: number): number {
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (a >>> 16) * bLow + (((a & 0xffff) * bLow) >>> 16);
  const other = (a & 0xffff) * bHigh + (middle & 0xffff);
  return (a >>> 16) * bHigh + (middle >>> 16) + (other >>> 16);
}

/** Follows from the position of the log, so that a replay computes the same amounts. */
export function seedOf(position: string, scope: string): bigint {
  return createHash('sha256').update(`posture-2|${position}|${scope}`).digest().readBigUInt64BE(0);
}
