export { bringIntoForce, type CatalogueChanges } from './bring-into-force.ts';
export { catalogueName } from './catalogue-name.ts';
export { type CatalogueStatus, catalogueStatus } from './catalogue-status.ts';
export {
  type CatalogueKind,
  type CatalogueRow,
  CatalogueTimeline,
  type CatalogueValues,
} from './catalogue-timeline.ts';
export {
  type ImportLog,
  type ImportRequest,
  ImportUnfinishedError,
  importCatalogue,
} from './import-catalogue.ts';
export { ImportBusyError } from './import-lock.ts';
export type { CatalogueImport } from './imports-in-force.ts';
export { markRescorings } from './mark-rescorings.ts';
export { bringPendingIntoForce } from './pending-imports.ts';
export { readCatalogues } from './read-catalogues.ts';
export type { ReadRow, StagedImport } from './staged-imports.ts';
export { ListShrunkError } from './whole-list.ts';
