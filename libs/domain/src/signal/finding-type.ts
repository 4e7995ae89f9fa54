import { FINDING_TYPES, type FindingType } from '../events.ts';

/** Names that real senders give to other kinds of findings: they become `others` and stay as the subtype (R-SIG-8). */
export const FINDING_TYPE_ALIASES = ['outsideIn', 'log', 'backup', 'network', 'dlp', 'email'] as const;

const byName = new Map<string, { type: FindingType; alias: string | null }>([
  ...FINDING_TYPES.map((type) => [type, { type, alias: null }] as const),
  ...FINDING_TYPE_ALIASES.map((alias) => [alias.toLowerCase(), { type: 'others', alias }] as const),
]);

/** A finding type in any case, with the sender's own name if it became `others`; null for an unknown one. */
export const readFindingType = (name: string): { type: FindingType; alias: string | null } | null =>
  byName.get(name) ?? byName.get(name.toLowerCase()) ?? null;
