export { type AssetGroup, isInGroup } from './asset-group.ts';
export type { SubjectScope } from './asset-pages.ts';
export { PageCatalogue } from './page-catalogue.ts';
export { readMoves } from './read-moves.ts';
export { readSubjects, type Subject, type SubjectPage } from './read-subjects.ts';
export type { ReadingInstant } from './reading-instant.ts';
export { waitingAssets } from './waiting-assets.ts';
