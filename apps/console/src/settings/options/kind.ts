import type { Api } from '../../api/client.ts';

export type Option = Api['AssetOptionDto'];

/** Departments and locations differ only in path and words. */
export interface Kind {
  path: '/api/v3/company/departments' | '/api/v3/locations';
  many: string;
  /** Label of the button, and title of the dialog. */
  add: string;
  /** An option without a known name became the default. */
  isNowDefault: string;
  /** What a removal changes. */
  removal: string;
}
