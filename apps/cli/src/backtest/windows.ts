import { type CatalogueImport, importAt } from '#libs/catalogue-store';
import type { Database } from '#libs/database';
import { DAY_MS, isoTime } from '#libs/domain';
import { usageError } from '../cli-error.ts';

/** From an instant (epoch ms), of which the scores are, until another, by which the outcome is known. */
export interface Window {
  from: number;
  until: number;
}

/** A window, and the lists that the scores at its beginning are computed with. */
export interface ScoredWindow extends Window {
  epss: CatalogueImport;
  kev: CatalogueImport;
}

export interface WindowsOptions {
  /** Epoch milliseconds. */
  at: number;
  days: number;
  /** How many follow each other. */
  windows: number;
}

/** @throws CliError exit 2 if a window has not ended yet */
export function windowsOf({ at, days, windows }: WindowsOptions, now: number): Window[] {
  const length = days * DAY_MS;
  const until = at + windows * length;
  if (at > now) throw usageError(`--at must be in the past: ${isoTime(at)} is in the future`);
  if (until > now) {
    throw usageError(
      `${windows === 1 ? 'the window' : 'the last window'} ends at ${isoTime(until)}, which is in the future: its outcome is not known yet`,
      [`use --at ${isoTime(now - windows * length)} or earlier, or fewer --days or --windows`],
    );
  }
  return Array.from({ length: windows }, (_, i) => ({
    from: at + i * length,
    until: at + (i + 1) * length,
  }));
}

/** @throws CliError exit 2 if there was no EPSS or no KEV list at the beginning of a window */
export async function withCatalogues(db: Database['db'], windows: Window[]): Promise<ScoredWindow[]> {
  const scored: ScoredWindow[] = [];
  for (const window of windows) {
    const [epss, kev] = [await importAt(db, 'epss', window.from), await importAt(db, 'kev', window.from)];
    if (!epss || !kev) {
      const missing = [!epss && 'EPSS forecasts', !kev && 'KEV list'].filter(Boolean).join(' and no ');
      throw usageError(`no ${missing} was in force at ${isoTime(window.from)}`, [
        'use a later --at, or import the lists of that time: posture catalogue import … --effective-from DATE',
      ]);
    }
    scored.push({ ...window, epss, kev });
  }
  return scored;
}
