/** A message to a person that is about no single ticket: plain text, which channels show without markup. */
export interface PlainMessage {
  title: string;
  lines: readonly string[];
  /** How many further lines are left out. */
  more: number;
  /** Of the page that it is about; null: it is not known. */
  url: string | null;
}

/** As many of the lines as fit, then how many are left out. */
export function fittingLines(
  { lines, more }: Pick<PlainMessage, 'lines' | 'more'>,
  fits: (lines: readonly string[]) => boolean = () => true,
): readonly string[] {
  for (let count = lines.length; ; count -= 1) {
    const left = more + lines.length - count;
    const shown = [...lines.slice(0, count), ...(left > 0 ? [`And ${left} more.`] : [])];
    if (count <= 1 || fits(shown)) return shown;
  }
}
