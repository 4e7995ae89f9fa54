import type { Api } from '../../api/client.ts';

export type Option = Api['AssetOptionDto'];

/** Departments and locations differ in their path and their name alone. */
export interface Kind {
  path: '/api/v3/company/departments' | '/api/v3/locations';
  one: string;
  many: string;
}
