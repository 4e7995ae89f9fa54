export { catalogueName } from './catalogue-name.ts';
export {
  type CatalogueKind,
  type CatalogueRow,
  CatalogueTimeline,
  type CatalogueValues,
} from './catalogue-timeline.ts';
export { readCatalogues } from './read-catalogues.ts';
