export { type AssetGroup, isInGroup } from './asset-group.ts';
export type { SubjectScope } from './asset-pages.ts';
export { PageCatalogue } from './page-catalogue.ts';
export { pagesOf } from './pages-of.ts';
export { readAssets } from './read-assets.ts';
export { readMoves } from './read-moves.ts';
export { cvesOf, readSubjects, type Subject, type SubjectPage, subjectsOf } from './read-subjects.ts';
export type { ReadingInstant } from './reading-instant.ts';
export { waitingAssets } from './waiting-assets.ts';
