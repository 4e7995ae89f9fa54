import type { components } from '../../api/schema.ts';

type Outcome = Pick<components['schemas']['WhatIfOutcomeDto'], 'assets' | 'otherAssets'>;

/**
 * The assets whose scores change, greatest change first, and how many more there are. Of assets that the
 * service does not list, only the number is known: as long as each listed one changes, they can change too.
 * @param max assets to show
 */
export function changedAssets({ assets, otherAssets }: Outcome, max: number) {
  const changed = assets.filter(({ score, scoreAfter }) => score !== scoreAfter);
  const isAtMost = otherAssets > 0 && changed.length === assets.length;
  const others = Math.max(0, changed.length - max) + (isAtMost ? otherAssets : 0);
  return { shown: changed.slice(0, max), others, isAtMost };
}
