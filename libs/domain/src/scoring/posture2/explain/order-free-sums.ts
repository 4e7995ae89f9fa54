/** Units of the parts of a sum, 32 bits apart. The fourth root of the last one is below a thousandth. */
const UNITS = [2 ** 20, 2 ** -12, 2 ** -44] as const;

/**
 * Sums of numbers up to 10¹⁶, each in integers of three units: exact in the last one, and so the same in any order, for
 * a million summands.
 */
export class OrderFreeSums {
  private readonly parts: readonly Float64Array[];

  constructor(length: number) {
    this.parts = UNITS.map(() => new Float64Array(length));
  }

  add(index: number, value: number): void {
    let left = value;
    for (let place = 0; place < UNITS.length; place++) {
      const units = Math.round(left / UNITS[place]!);
      this.parts[place]![index]! += units;
      left -= units * UNITS[place]!;
    }
  }

  addAll(values: Float64Array): void {
    for (let index = 0; index < values.length; index++) {
      if (values[index] !== 0) this.add(index, values[index]!);
    }
  }

  at(index: number): number {
    return UNITS.reduceRight((sum, unit, place) => sum + this.parts[place]![index]! * unit, 0);
  }
}
