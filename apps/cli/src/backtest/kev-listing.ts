import type { CatalogueTimeline } from '#libs/catalogue-store';
import { isoDay } from '#libs/domain';
import type { Window } from './windows.ts';

/** `before`: KEV lists it at the beginning of the window already; `within`: it was added in the window. */
export type Listing = 'before' | 'within' | 'no';

/**
 * By the day on which CISA added the CVE, of any list that was imported: an import that came late delays no outcome. On
 * the day of the beginning it is not known what came first, so that day counts as before, and the last day as within.
 *
 * @param catalogues of the CVE, from the beginning of the window on
 */
export function kevListing(catalogues: CatalogueTimeline, cve: string, { from, until }: Window): Listing {
  const later = catalogues.instants(cve).filter((at) => at > from && Number.isFinite(at));
  const days = [from, ...later].flatMap((at) => catalogues.at(at).kevOf(cve)?.dateAdded ?? []);
  if (days.length === 0) return 'no';
  const added = days.reduce((a, b) => (a < b ? a : b));
  if (catalogues.at(from).kevOf(cve) || added <= isoDay(from)) return 'before';
  return added <= isoDay(until) ? 'within' : 'no';
}
