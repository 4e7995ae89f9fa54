export { catalogueName } from './catalogue-name.ts';
export { type CatalogueStatus, catalogueStatus } from './catalogue-status.ts';
export {
  type CatalogueAt,
  type CatalogueKind,
  type CatalogueRow,
  CatalogueTimeline,
  type CatalogueValues,
} from './catalogue-timeline.ts';
export { importAt } from './import-at.ts';
export {
  type ImportLog,
  ImportUnfinishedError,
  importCatalogue,
} from './import-catalogue.ts';
export { ImportBusyError } from './import-lock.ts';
export type { CatalogueImport } from './imports-in-force.ts';
export { bringPendingIntoForce } from './pending-imports.ts';
export { readCatalogues } from './read-catalogues.ts';
export { readTechniques } from './read-techniques.ts';
export type { ReadRow, UnfinishedImport } from './staged-imports.ts';
export { IS_WHOLE_LIST, ListShrunkError } from './whole-list.ts';
