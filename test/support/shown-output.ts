const LEFT_OUT = '…';

/**
 * The first line of a page's output that is missing in the real one after the previous lines; null if it has all of
 * them, in order. On the page `…` matches any text: within a line, or, as a whole line, any lines.
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
