export type { AttackRow } from './attack-bundle.ts';
export * from './attack-techniques.ts';
export type { ReadOptions } from './files/catalogue-file.ts';
export { CatalogueFileError } from './files/catalogue-file-error.ts';
export { readAttack } from './read-attack.ts';
export { readCtid } from './read-ctid.ts';
export { readCveStates } from './read-cve-states.ts';
export { readEpss } from './read-epss.ts';
export { readKev } from './read-kev.ts';
