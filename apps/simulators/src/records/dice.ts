// In tests, looking up globals takes most of the time.
const { imul, floor } = Math;
const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;
/** Odd, so that multiplying by it modulo 2^32 can be undone, by its inverse. */
const SPREAD = 0x9e3779b1;
const SPREAD_INVERSE = 0x0e8b2f51;

/** Chances of one record: each depends only on seed, number and name, so a record need not be kept. */
export class Dice {
  private readonly base: number;

  constructor(
    seed: number,
    private readonly number: number,
  ) {
    this.base = mixed(imul(seed, SPREAD) ^ mixed(number));
  }

  /** @returns a whole number from 0 to `count - 1` */
  below(count: number, name: string): number {
    return floor((this.roll(name) / 2 ** 32) * count);
  }

  pick<T>(list: readonly T[], name: string): T {
    return list[this.below(list.length, name)] as T;
  }

  /** @param percent how often it is true, of a hundred */
  chance(percent: number, name: string): boolean {
    return this.below(100, name) < percent;
  }

  /** @returns lower-case hexadecimal digits */
  hex(digits: number, name: string): string {
    const first = this.roll(name);
    let text = '';
    for (let part = 0; text.length < digits; part += 1) text += asHex(mixed(first + part));
    return text.slice(0, digits);
  }

  /** An id whose first digits lead back to the number. */
  id(kind: string): string {
    return asHex(imul(this.number, SPREAD)) + this.hex(24, kind);
  }

  private roll(name: string): number {
    let hash = FNV_OFFSET;
    for (let i = 0; i < name.length; i += 1) hash = imul(hash ^ name.charCodeAt(i), FNV_PRIME);
    return mixed(this.base ^ hash);
  }
}

/** The only number whose `Dice.id` can begin so. */
export const numberOfId = (id: string): number =>
  imul(Number.parseInt(id.slice(0, 8), 16), SPREAD_INVERSE) >>> 0;

const asHex = (word: number): string =>
  byteAsHex(word >>> 24) + byteAsHex(word >>> 16) + byteAsHex(word >>> 8) + byteAsHex(word);

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const byteAsHex = (word: number): string => BYTES[word & 255] as string;

/** The finalizer of MurmurHash3. */
function mixed(word: number): number {
  let hash = word;
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
