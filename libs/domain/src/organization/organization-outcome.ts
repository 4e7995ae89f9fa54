import type { Refusal } from '../fold/effects.ts';
import type { Organization } from './organization.ts';

/** What an act would make of the organization, or why it does nothing: what it meant has changed meanwhile (rule 6). */
export type OrganizationOutcome =
  | { organization: Organization; before: unknown; after: unknown; refused: null }
  | { refused: Refusal };

export const refuse = (refused: Refusal): OrganizationOutcome => ({ refused });
