import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayNotEmpty, IsIn } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

/** One value of a closed set, or several that count as alternatives. */
export type OneOrMore<T> = T | readonly T[];

/** The values given, each once. */
export const eachOf = <T>(given: OneOrMore<T>): T[] => [...new Set([given].flat() as T[])];

const separated = ({ value }: { value: unknown }) =>
  [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : [one]));

/**
 * An optional parameter of alternatives: `type=va,ca` and `type=va&type=ca` in a query, one text or an array of texts
 * in JSON.
 */
export const IsOneOrMoreOf = (values: readonly string[], description = '') =>
  applyDecorators(
    ApiPropertyOptional({
      enum: values,
      isArray: true,
      minItems: 1,
      description: `${description} Several values, also separated by commas, are alternatives`.trim(),
    }),
    MayBeLeftOut(),
    Transform(separated),
    ArrayNotEmpty(),
    IsIn(values, {
      each: true,
      message: `$property must be one of ${values.join(', ')}, or several of these, separated by commas`,
    }),
  );
