import { t } from '@lingui/core/macro';

/** Marks in a User-Agent and what they stand for, the more special ones first: Edge and Opera also say Chrome. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Browser and operating system of a session, such as `Firefox on Windows`; other programs as they name themselves. */
export function deviceOf(userAgent: string): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (marks) => marks.find(([mark]) => userAgent.includes(mark))?.[1],
  );
  if (browser === undefined) return userAgent || t({ message: 'Unknown', context: 'device' });
  return system === undefined ? browser : t`${browser} on ${system}`;
}
