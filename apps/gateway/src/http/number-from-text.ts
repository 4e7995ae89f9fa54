import { Transform } from 'class-transformer';

const NUMBER = /^-?(\d+(\.\d+)?|\.\d+)(e[-+]?\d+)?$/i;

/** A number of a query. A text that is none, such as an empty one, is left for the check to refuse. */
export const NumberFromText = () =>
  Transform(({ value }) => (typeof value === 'string' && NUMBER.test(value) ? Number(value) : value));
