/** `1 finding`, `2,345 findings`. */
export const findings = (count: number): string =>
  count === 1 ? '1 finding' : `${count.toLocaleString()} findings`;
