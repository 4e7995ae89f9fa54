import type { Refusal } from '../fold/effects.ts';
import type { Organization } from './organization.ts';

/** The organization after an act, or why the act was refused (R-FOLD-6). */
export type OrganizationOutcome =
  | { organization: Organization; before: unknown; after: unknown; refused: null }
  | { refused: Refusal };

export const refuse = (refused: Refusal): OrganizationOutcome => ({ refused });
