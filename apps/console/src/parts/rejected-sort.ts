import type { components } from '../api/schema.ts';

/** Why a list of a past time is not sorted: it is too long, or the user is limited to departments or locations. */
export type Unsorted = 'tooLong' | 'limited';

/** Why the service rejected the sort order, and only that; null: another error, or none. */
export function rejectedSort(error: components['schemas']['Error'] | Error | null): Unsorted | null {
  if (error === null || error instanceof Error || !error.message.startsWith('sort: with asOf')) return null;
  if (error.statusCode === 403) return 'limited';
  return error.statusCode === 400 ? 'tooLong' : null;
}
