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

/** The field of the request. */
export const limitsOf = ({ department, location }: LimitOptions): { limits?: Schemas['AddRowLimitsDto'] } =>
  department || location
    ? { limits: { ...(department && { departments: department }), ...(location && { locations: location }) } }
    : {};

/** As a cell of a table. */
export function limitsText(limits: Schemas['RowLimitsDto'] | null): string {
  const { departments, locations } = limits ?? { departments: null, locations: null };
  const parts = [
    ...(departments ? [`departments: ${departments.join(', ')}`] : []),
    ...(locations ? [`locations: ${locations.join(', ')}`] : []),
  ];
  return parts.join('; ') || 'all';
}
