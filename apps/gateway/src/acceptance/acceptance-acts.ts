import type { FindingAccepted, FindingReverted } from '#libs/domain';
import type { ActOf } from '../finding-acts/act-of.ts';
import type { NewAcceptanceDto, ReversionDto } from './acceptance.dto.ts';

/** What users ask for, as events state it. */

export const accepted = ({ rationale, until }: NewAcceptanceDto): ActOf<FindingAccepted> => ({
  type: 'FindingAccepted',
  rationale,
  until: until ?? null,
});

export const reverted = ({ to, rationale }: ReversionDto): ActOf<FindingReverted> => ({
  type: 'FindingReverted',
  to,
  rationale: rationale ?? null,
});
