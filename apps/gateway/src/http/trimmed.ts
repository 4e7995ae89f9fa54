import { Transform } from 'class-transformer';

/** A text without blanks at its ends. */
export const Trimmed = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
