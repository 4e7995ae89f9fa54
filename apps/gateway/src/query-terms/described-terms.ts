import { AssetFilterQuery } from '../assets/asset.dto.ts';
import { CUSTOM_FIELD } from '../assets/custom-fields.ts';
import { type Dto, declaredProperties } from '../docs/describe-checks.ts';
import { FindingFilterQuery } from '../findings/finding.dto.ts';
import { namedForm, type TermForm, termForms, written } from './term-forms.ts';

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
  assets: termsOf(AssetFilterQuery, [
    [
      namedForm(CUSTOM_FIELD),
      'Option of the custom field of this name. Quote a name with spaces, colons or quotes',
    ],
  ]),
  findings: termsOf(FindingFilterQuery),
});

/** @param others that the class does not list, with their descriptions */
function termsOf(filters: Dto, others: readonly [TermForm, string][] = []): DescribedTerm[] {
  const declared = new Map(declaredProperties(filters));
  const forms = termForms(filters).map((form): [TermForm, string | undefined] => [
    form,
    declared.get(form.parameter)?.description,
  ]);
  return [...forms, ...others]
    .map(([form, description]) => ({
      term: written(form),
      parameter: form.isNamed ? `${form.parameter}NAME` : form.parameter,
      values: form.values,
      description: (form.values === null && description) || null,
    }))
    .sort((a, b) => (a.term < b.term ? -1 : 1));
}
