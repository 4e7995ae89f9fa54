import type { Api } from '../../api/client.ts';
import { changedRows, newId, type OrderedRow } from '../ordered-rows.ts';

export type Rule = Api['OwnerRuleDto'];
export type Row = Required<Rule> & OrderedRow;
export type Tag = Api['OwnerRuleTagDto'];

/** As the service limits them. */
export const RULES_MAX = 100;

export interface Draft {
  rows: readonly Row[];
  /** Version of the settings that the draft is based on. */
  version: number;
}

export const draftOf = ({ rules, version }: Api['OwnerRulesDto']): Draft => ({
  rows: rules.map((rule) => ({ departments: [], locations: [], tags: [], ...rule, id: newId() })),
  version,
});

export const rulesOf = ({ rows }: Draft): Rule[] => rows.map(({ id: _, ...rule }) => rule);

export const newRow = (): Row => ({
  id: newId(),
  departments: [],
  locations: [],
  tags: [],
  owner: { type: 'team', name: '' },
});

export const changeCount = (draft: Draft, stored: Draft): number =>
  changedRows(rulesOf(draft), rulesOf(stored));

export const tagText = ({ key, value }: Tag): string => `${key}=${value}`;

/** `key=value`; the first `=` separates them. Null without one, or if a side is empty. */
export function tagOf(text: string): Tag | null {
  const at = text.indexOf('=');
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  return at < 0 || key === '' || value === '' ? null : { key, value };
}
