/** The used part of Jest's results. */
export interface FileResult {
  testResults: readonly { status: string; fullName: string }[];
}

/** `(skipped: why)` in a test's name; the reason may contain parentheses. */
const REASON = /\(skipped: ([^()]*(?:\([^()]*\)[^()]*)*)\)/;

/**
 * One line that says how many tests this machine could not run, and why.
 * @returns null if no test was skipped with a reason; tests that `-t` leaves out have none
 */
export function notRun(files: readonly FileResult[]): string | null {
  const counts = new Map<string, number>();
  for (const { status, fullName } of files.flatMap(({ testResults }) => testResults)) {
    const reason = status === 'pending' ? REASON.exec(fullName)?.[1] : undefined;
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count}: ${reason}`);
  return `Not run: ${reasons.join('; ')}`;
}
