import { BadRequestException, type ValidationError } from '@nestjs/common';

/** Others would be about more of the same. */
const SENTENCES_MAX = 20;

/**
 * class-validator's findings as one sentence each, with the path of the field; of more than 20 the first ones and a number.
 * @param parent path of the object, such as `query.`
 */
export function badInput(errors: ValidationError[], parent = ''): BadRequestException {
  const all = errors.flatMap((error) => sentences(error, parent));
  const shown = all.slice(0, SENTENCES_MAX);
  if (all.length > shown.length) shown.push(`and ${all.length - shown.length} more`);
  return new BadRequestException(shown.join('; '));
}

/** Rules of class-validator for lengths. */
const EMPTY_RULES = ['isLength', 'minLength'];

/** Sentences about the elements of a list begin with `each value in`. */
const sentenceAt = (parent: string, text: string): string =>
  text.replace(/^(?:each value in )?/, (start) => start + parent);

function sentences({ property, value, constraints, children }: ValidationError, parent: string): string[] {
  const path = parent + property;
  // The one thing to say about a text that is missing, whatever else it does not match.
  const isEmpty =
    value === '' && constraints !== undefined && EMPTY_RULES.some((rule) => rule in constraints);
  const own = isEmpty
    ? [`${path} must not be empty`]
    : Object.entries(constraints ?? {}).map(([rule, text]) =>
        rule === 'whitelistValidation' ? `${path} is unknown` : sentenceAt(parent, text),
      );
  return [...own, ...(children ?? []).flatMap((child) => sentences(child, `${path}.`))];
}
