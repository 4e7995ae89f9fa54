import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';

/** The BCP 47 tag by which numbers and times are written now. Not for module level: the user can change it. */
export const locale = (): string => i18n.locales as string;

/** `12,345` in the reader's language. */
export const number = (value: number, options?: Intl.NumberFormatOptions): string =>
  i18n.number(value, options);

/** With exactly so many digits after the decimal point: `7.0`. */
export const fixed = (value: number, digits = 1): string =>
  number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** An instant in the reader's language and, unless options name another, local time zone. */
export const date = (at: string | number | Date, options: Intl.DateTimeFormatOptions): string =>
  i18n.date(at, options);

/** `0.85` as `85 %`. */
export function percent(share: number, digits = 0): string {
  const amount = number(share * 100, { maximumFractionDigits: digits });
  return t`${amount} %`;
}

/** Separators of a number field, as `number` writes them. */
export function separators(): { thousandSeparator: string; decimalSeparator: string } {
  const parts = new Intl.NumberFormat(locale()).formatToParts(12_345.6);
  const textOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return { thousandSeparator: textOf('group'), decimalSeparator: textOf('decimal') };
}

/** `a, b and c` in the reader's language. */
export const list = (items: readonly string[], type: Intl.ListFormatType = 'conjunction'): string =>
  new Intl.ListFormat(locale(), { type }).format(items);

/** Items and separators of `a, b, c` in the reader's language, for items that are elements. */
export const listParts = (items: readonly string[]): { type: 'element' | 'literal'; value: string }[] =>
  new Intl.ListFormat(locale(), { type: 'unit' }).formatToParts(items);
