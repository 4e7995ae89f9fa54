import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import type { CatalogueChanges } from './bring-into-force.ts';
import type { CatalogueKind } from './catalogue-timeline.ts';
import { WHOLE_LISTS } from './whole-list.ts';

/** An import that came into force. */
export interface CatalogueImport extends CatalogueChanges {
  id: string;
  catalogue: CatalogueKind;
  source: string;
  /** As many as were read. */
  rows: number;
  contentHash: string;
  /** From when on, in epoch milliseconds. */
  validFrom: number;
  /** When the next import of the catalogue began, if it is a complete list, which that one replaced; otherwise null. */
  nextFrom: number | null;
}

/** The imports that came into force, the last one first. */
export const inForce = (db: Kysely<Schema>) =>
  db
    .selectFrom('catalogue_imports')
    .select((of) => [
      'id',
      'catalogue',
      'source',
      'staged_rows as rows',
      of.ref('content_hash').$notNull().as('contentHash'),
      of.ref('valid_from').$notNull().as('validFrom'),
      of
        .selectFrom('catalogue_imports as next')
        .select((next) => next.fn.min('next.valid_from').as('from'))
        .whereRef('next.catalogue', '=', 'catalogue_imports.catalogue')
        .where('next.catalogue', 'in', WHOLE_LISTS)
        .whereRef('next.valid_from', '>', 'catalogue_imports.valid_from')
        .as('nextFrom'),
      of.ref('added').$notNull().as('added'),
      of.ref('changed').$notNull().as('changed'),
      of.ref('removed').$notNull().as('removed'),
    ])
    .where('valid_from', 'is not', null)
    .orderBy('valid_from', 'desc');
