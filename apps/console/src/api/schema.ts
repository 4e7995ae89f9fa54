/** The types that the client of the HTTP interface is published with. */
export type { components, operations, paths } from '../../../../client/src/schema.ts';
