import { Transform } from 'class-transformer';

const NUMBER = /^-?(\d+(\.\d+)?|\.\d+)(e[-+]?\d+)?$/i;

/** A number of a query. Any other text, also an empty one, is left for the check to reject. */
export const NumberFromText = () =>
  Transform(({ value }) => (typeof value === 'string' && NUMBER.test(value) ? Number(value) : value));
