/** Types from the published API client. */
export type { components, operations, paths } from '../../../../client/src/schema.ts';
