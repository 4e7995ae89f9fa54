import type { LogOpened } from '../events.ts';
import { initialOrganization } from '../organization/organization.ts';
import type { EntityState } from '../state.ts';
import { actOnOpening } from './act-of.ts';
import type { Effects } from './effects.ts';

/**
 * Begins the organization with the settings that the opening of its log states. They are version 0 of the settings: the
 * edge decides by the same ones before this is folded. A repeated opening changes nothing.
 */
export function foldOpening(effects: Effects, entity: EntityState, opened: LogOpened): void {
  const { scoringModel } = opened;
  if (scoringModel === null || entity.organization) return;
  const initial = initialOrganization();
  const organization = { ...initial, settings: { ...initial.settings, scoringModel } };
  effects.acts.push(actOnOpening(scoringModel));
  entity.organization = organization;
  effects.organization = organization;
}
