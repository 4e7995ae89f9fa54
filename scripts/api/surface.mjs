// The public surface: the files of api/, and how two versions of them differ.
import { compareClient } from './compare-client.mjs';
import { compareEventSchemas } from './compare-event-schemas.mjs';
import { compareOpenApi } from './compare-openapi.mjs';

const json = (compare) => (before, after) => compare(JSON.parse(before), JSON.parse(after));

/** How each report is compared, by its path in the project. */
export const REPORTS = {
  'api/client.md': compareClient,
  'api/event-schemas.json': json(compareEventSchemas),
  'api/openapi.json': json(compareOpenApi),
};

/**
 * @param {Record<string, string>} before texts of the reports, by path
 * @param {Record<string, string>} after
 * @returns {import('./changes.mjs').Change[]} incompatible ones first
 */
export function compareSurfaces(before, after) {
  const changes = Object.entries(REPORTS).flatMap(([path, compare]) => [
    ...compare(before[path], after[path]),
  ]);
  return changes.sort((one, other) => other.kind.localeCompare(one.kind));
}
