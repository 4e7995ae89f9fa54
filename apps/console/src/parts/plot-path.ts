/** Position from the left and from the top, 0 to 1. */
export type Place = readonly [x: number, y: number];

/** The width and height of a chart's view box. */
export const SIZE = 1_000;

/** A line through places, as the path of an SVG. */
export const pathOf = (places: readonly Place[]): string =>
  places.length === 0 ? '' : `M${places.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}`;

const round = (part: number): number => Math.round(part * SIZE * 10) / 10;
