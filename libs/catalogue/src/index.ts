export * from './attack-techniques.ts';
export type { CveState, CveStateRow } from './cve-state.ts';
export type { ReadOptions } from './files/catalogue-file.ts';
export { CatalogueFileError } from './files/catalogue-file-error.ts';
export { readCveStates } from './read-cve-states.ts';
export { type EpssRow, readEpss } from './read-epss.ts';
export { type KevRow, readKev } from './read-kev.ts';
