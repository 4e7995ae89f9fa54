import type { Command } from 'commander';
import type { Schemas } from '#client';

/** Options of a new credential or API token. */
export interface LimitOptions {
  department?: string[];
  location?: string[];
}

export const withLimitOptions = (command: Command): Command =>
  command
    .option('--department <name...>', 'departments whose assets are visible (default: those of the caller)')
    .option('--location <name...>', 'locations whose assets are visible (default: those of the caller)');

/** The fields of the request. */
export const limitsOf = ({
  department,
  location,
}: LimitOptions): Pick<Schemas['AddCredentialDto'], 'departments' | 'locations'> => ({
  ...(department && { departments: department }),
  ...(location && { locations: location }),
});

/** As a cell of a table. */
export function limitsText({
  departments,
  locations,
}: Pick<Schemas['CredentialDto'], 'departments' | 'locations'>): string {
  const parts = [
    ...(departments ? [`departments: ${departments.join(', ')}`] : []),
    ...(locations ? [`locations: ${locations.join(', ')}`] : []),
  ];
  return parts.join('; ') || 'all';
}
