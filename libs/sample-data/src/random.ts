/** A repeatable source of chance: the same seed text gives the same sequence on every machine. */
export interface Random {
  /** From [0, 1). */
  next(): number;
  chance(probability: number): boolean;
  /** Both bounds included. */
  integer(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** Several different items in the order of the list; all of them if it is no longer. */
  sample<T>(items: readonly T[], count: number): T[];
  /** A version 4 UUID. */
  uuid(): string;
}

/** mulberry32, seeded by the FNV-1a hash of a text. */
export function createRandom(seed: string): Random {
  let state = fnv1a(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length - 1)]!,
    sample(items, count) {
      let wanted = Math.min(count, items.length);
      return items.filter((_, index) => {
        const taken = next() * (items.length - index) < wanted;
        if (taken) wanted--;
        return taken;
      });
    },
    uuid() {
      const hex = Array.from({ length: 32 }, () => integer(0, 15).toString(16));
      hex[12] = '4';
      hex[16] = (8 + integer(0, 3)).toString(16);
      return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
