const LEFT_OUT = '…';

/**
 * The first line of an output as a page shows it that the real one does not have, behind the ones before; null where
 * it has them all, in order. On the page `…` stands for whatever there is: within a line, or, alone, for lines.
 */
export function missingLine(shown: string, real: string): string | null {
  const lines = real.split(/\r?\n/);
  let at = 0;
  for (const line of shown.split('\n')) {
    if (line.trim() === LEFT_OUT) continue;
    const pattern = new RegExp(`^${line.split(LEFT_OUT).map(escaped).join('.*')}$`);
    const found = lines.findIndex((each, index) => index >= at && pattern.test(each));
    if (found === -1) return line;
    at = found + 1;
  }
  return null;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
