import { AssetFilterQuery } from '../assets/asset.dto.ts';
import { type Dto, declaredProperties } from '../docs/describe-checks.ts';
import { FindingFilterQuery } from '../findings/finding.dto.ts';
import { termForms, written } from './term-forms.ts';

/** A filter as a term, for people who write a query text. */
export interface DescribedTerm {
  term: string;
  parameter: string;
  values: readonly string[] | null;
  /** Of the parameter; null for those with a closed set of values. */
  description: string | null;
}

/** The terms of each list, by key. */
export const describedTerms = (): Record<'assets' | 'findings', DescribedTerm[]> => ({
  assets: termsOf(AssetFilterQuery),
  findings: termsOf(FindingFilterQuery),
});

function termsOf(filters: Dto): DescribedTerm[] {
  const declared = new Map(declaredProperties(filters));
  return termForms(filters)
    .map((form) => ({
      term: written(form),
      parameter: form.parameter,
      values: form.values,
      description: (form.values === null && declared.get(form.parameter)?.description) || null,
    }))
    .sort((a, b) => (a.term < b.term ? -1 : 1));
}
