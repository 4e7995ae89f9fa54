import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';

export type FindingType = Api['FindingItemDto']['type'];

export const FINDING_TYPES: readonly FindingType[] = ['va', 'ca', 'edr', 'uba', 'waf', 'finding', 'others'];

/** The finding types in words. */
export const typeNames = (): Record<FindingType, string> => ({
  va: t({ message: 'Vulnerability', context: 'type of a finding' }),
  ca: t({ message: 'Configuration', context: 'type of a finding' }),
  edr: t({ message: 'EDR detection', context: 'type of a finding' }),
  uba: t({ message: 'User behaviour', context: 'type of a finding' }),
  waf: t({ message: 'Web application firewall', context: 'type of a finding' }),
  finding: t({ message: 'Finding', context: 'type of a finding' }),
  others: t({ message: 'Other', context: 'type of a finding' }),
});

/** The finding types as options of a field. */
export const typeOptions = () => Object.entries(typeNames()).map(([value, label]) => ({ value, label }));
