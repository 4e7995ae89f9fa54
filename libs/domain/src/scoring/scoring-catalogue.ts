import type { CveStateLookup, TechniqueLookup } from './valid-mappings.ts';

/** A forecast of the Exploit Prediction Scoring System. */
export interface EpssForecast {
  /** Probability of exploitation in the 30 days after `date`, 0 to 1. */
  probability: number;
  /** Day of the forecast, `2026-05-31`. */
  date: string;
}

/** Says that a CVE is in CISA's catalogue of Known Exploited Vulnerabilities. */
export interface KevEntry {
  /** Day that it was added, `2026-05-31`. */
  dateAdded: string;
}

/**
 * What the model asks of the catalogues, as they were at the instant that is scored (D24). Every lookup answers
 * undefined where the catalogue has nothing; asked twice, it answers the same.
 */
export interface ScoringCatalogue {
  techniqueOf: TechniqueLookup;
  cveStateOf: CveStateLookup;
  epssOf: (cve: string) => EpssForecast | undefined;
  kevOf: (cve: string) => KevEntry | undefined;
}
