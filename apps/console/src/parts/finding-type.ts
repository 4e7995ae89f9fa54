import type { Api } from '../api/client.ts';

export type FindingType = Api['FindingItemDto']['type'];

/** The finding types in words. */
export const TYPE_NAMES: Record<FindingType, string> = {
  va: 'Vulnerability',
  ca: 'Configuration',
  edr: 'EDR detection',
  uba: 'User behaviour',
  waf: 'Web application firewall',
  finding: 'Finding',
  others: 'Other',
};
