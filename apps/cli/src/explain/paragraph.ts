import { Help } from 'commander';

const LABEL_COLUMNS = 10;

/**
 * Lines under a label, wrapped at a width. A word that is longer than a line stays whole, so that ids and commands can
 * be copied.
 * @param indent columns before the label
 */
export function paragraph(label: string, lines: string[], indent: number, width: number): string[] {
  const left = indent + LABEL_COLUMNS;
  const help = new Help();
  const wrapped = lines.flatMap((line) => help.boxWrap(line, Math.max(1, width - left)).split('\n'));
  return wrapped.map((line, i) => {
    const head = i === 0 ? `${' '.repeat(indent)}${label}` : '';
    return `${head.padEnd(left)}${line}`.trimEnd();
  });
}
