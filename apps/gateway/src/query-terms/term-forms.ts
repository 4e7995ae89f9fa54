import { type Dto, declaredProperties } from '../docs/describe-checks.ts';

/** How a filter is written as a term of a query text, such as `severity:>=7` for the parameter `severityMin`. */
export interface TermForm {
  key: string;
  comparison: '' | '>=' | '<';
  parameter: string;
  /** The closed set of its values; null if there is none. */
  values: readonly string[] | null;
  isInstant: boolean;
  /** Whether the query has the parameter. */
  isTaken: boolean;
  /** Whether the key and the parameter end in a name that the text gives, as in `customField.Team:red`. */
  isNamed: boolean;
}

/** For filters with any name, such as `customField.`, which no class lists. */
export const namedForm = (prefix: string): TermForm => ({
  ...{ key: prefix, comparison: '', parameter: prefix, values: null },
  ...{ isInstant: false, isTaken: true, isNamed: true },
});

/** The last word of the name of a parameter that compares. */
const COMPARISONS = { Min: '>=', After: '>=', Before: '<' } as const;

/** The parameter that has the text itself. */
const TEXT = 'q';

/**
 * The filters of a list as terms.
 * @param filters the class of all filters of findings, or of assets
 * @param query the class of a query, which has some of them
 */
export function termForms(filters: Dto, query = filters): TermForm[] {
  const taken = new Set(declaredProperties(query).map(([name]) => name));
  return declaredProperties(filters)
    .filter(([name]) => name !== TEXT)
    .map(([parameter, { enum: values, items, format }]) => ({
      ...named(parameter),
      parameter,
      values: ((values ?? items?.enum) as string[] | undefined) ?? null,
      isInstant: format === 'date-time',
      isTaken: taken.has(parameter),
      isNamed: false,
    }));
}

/** The beginning of a term. */
export const written = ({
  key,
  comparison,
  isNamed,
}: Pick<TermForm, 'key' | 'comparison' | 'isNamed'>): string =>
  `${key}${isNamed ? 'NAME' : ''}:${comparison}`;

function named(parameter: string): Pick<TermForm, 'key' | 'comparison'> {
  for (const [ending, comparison] of Object.entries(COMPARISONS)) {
    if (parameter.endsWith(ending)) return { key: parameter.slice(0, -ending.length), comparison };
  }
  return { key: parameter, comparison: '' };
}
