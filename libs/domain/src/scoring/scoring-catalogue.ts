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
 * The lookups of the model in the catalogues, as of the scored instant. Every lookup returns undefined if the catalogue
 * has no entry; repeated lookups return the same.
 */
export interface ScoringCatalogue {
  techniqueOf: TechniqueLookup;
  cveStateOf: CveStateLookup;
  epssOf: (cve: string) => EpssForecast | undefined;
  kevOf: (cve: string) => KevEntry | undefined;
}
