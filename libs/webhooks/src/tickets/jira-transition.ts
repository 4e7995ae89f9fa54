/** Categories of statuses, the same in every workflow and every language. */
export type StatusCategory = 'new' | 'indeterminate' | 'done';

/** The transition that moves an issue, with the fields that it sets. */
export interface Transition {
  id: string;
  fields?: { resolution: { name: string } };
}

interface Field {
  required?: boolean;
  hasDefaultValue?: boolean;
  allowedValues?: { name?: string }[];
}

interface Offered {
  id: string;
  isAvailable?: boolean;
  to?: { statusCategory?: { key?: string } };
  /** By the id of the field: what the screen of the transition shows. */
  fields?: Record<string, Field>;
}

/**
 * The first of the transitions that leads to a status of one of the categories, the first category preferred, and
 * requires no field except the resolution.
 * @param offered as Jira lists them, with their fields
 * @returns ids of the fields that all of them require, if there are such transitions but none can be used
 */
export function transitionTo(
  categories: readonly StatusCategory[],
  offered: unknown,
  resolution: string | undefined,
): Transition | { missing: string[] } {
  const transitions = Array.isArray(offered) ? offered.filter(isOffered) : [];
  const leading = categories.flatMap((category) =>
    transitions.filter(
      ({ to, isAvailable }) => isAvailable !== false && to?.statusCategory?.key === category,
    ),
  );
  const possible = leading.find((one) => missingOf(one, resolution).length === 0);
  if (!possible) return { missing: leading[0] ? missingOf(leading[0], resolution) : [] };
  const isAsked = resolution !== undefined && possible.fields?.resolution !== undefined;
  return { id: possible.id, ...(isAsked && { fields: { resolution: { name: resolution } } }) };
}

const isOffered = (value: unknown): value is Offered =>
  typeof (value as Partial<Offered> | null)?.id === 'string';

/** A resolution that the project does not have counts as missing. */
const missingOf = ({ fields = {} }: Offered, resolution: string | undefined): string[] =>
  Object.entries(fields).flatMap(([id, field]) => {
    if (id === 'resolution' && resolution !== undefined) return hasValue(field, resolution) ? [] : [id];
    return field.required && !field.hasDefaultValue ? [id] : [];
  });

const hasValue = ({ allowedValues }: Field, name: string): boolean =>
  allowedValues?.some((value) => value.name === name) ?? true;
