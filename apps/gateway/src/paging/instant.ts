import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional } from 'class-validator';
import { readInstant } from '#libs/domain';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

/** An ISO 8601 instant with a zone, as epoch milliseconds; another text is left for the check to refuse. */
const instantOf = ({ value }: { value: unknown }) =>
  // An unencoded plus sign of a query is a space to every parser.
  typeof value === 'string' ? (readInstant(value.replace(/ (?=\d\d:?\d\d$)/, '+')) ?? value) : [value];

/** Names of all optional instants. */
const INSTANTS = new Set<string>();

/** An optional instant of a query or a body, in epoch milliseconds once it is read. */
export const IsInstant = ({
  description,
  nullable = false,
}: Pick<ApiPropertyOptions & { description: string; nullable?: boolean }, 'description' | 'nullable'>) =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      format: 'date-time',
      example: '2026-01-31T12:00:00Z',
      description,
      ...(nullable && { nullable }),
    }),
    nullable ? IsOptional() : MayBeLeftOut(),
    Transform((given) => (nullable && given.value === null ? null : instantOf(given))),
    IsInt({ message: '$property must be an ISO 8601 time with a zone, such as 2026-01-31T12:00:00Z' }),
    (_: object, name: string | symbol) => void INSTANTS.add(String(name)),
  );

/** Whether parameters with this name are read as epoch milliseconds. */
export const isInstant = (name: string): boolean => INSTANTS.has(name);
