import type { CatalogueKind } from '#libs/catalogue-store';

/** What the rows of a catalogue describe, in the plural. */
export const entriesOf = (catalogue: CatalogueKind): string =>
  catalogue === 'attack' ? 'techniques' : 'CVEs';
