import { BadRequestException, type ValidationError } from '@nestjs/common';

/**
 * class-validator's findings as one sentence each, with the path of the field.
 * @param parent path of the object, such as `query.`
 */
export const badInput = (errors: ValidationError[], parent = ''): BadRequestException =>
  new BadRequestException(errors.flatMap((error) => sentences(error, parent)).join('; '));

/** Sentences about the elements of a list begin with `each value in`. */
const sentenceAt = (parent: string, text: string): string =>
  text.replace(/^(?:each value in )?/, (start) => start + parent);

function sentences({ property, constraints, children }: ValidationError, parent: string): string[] {
  const path = parent + property;
  const own = Object.entries(constraints ?? {}).map(([rule, text]) =>
    rule === 'whitelistValidation' ? `${path} is unknown` : sentenceAt(parent, text),
  );
  return [...own, ...(children ?? []).flatMap((child) => sentences(child, `${path}.`))];
}
