/** Criticalities of assets, the highest first. */
export const LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
