import type { Api } from '../../api/client.ts';

export type Option = Api['AssetOptionDto'];

/** Departments and locations differ only in path and name. */
export interface Kind {
  path: '/api/v3/company/departments' | '/api/v3/locations';
  one: string;
  many: string;
}
