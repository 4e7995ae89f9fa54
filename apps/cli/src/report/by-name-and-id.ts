import type { ReportAsset } from './report-content.ts';

/** The order of a report: by name, then id, both by code unit. */
export const byNameAndId = (a: ReportAsset, b: ReportAsset): number => {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
};
