import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, ValidateIf } from 'class-validator';
import { readInstant } from '#libs/domain';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const END_OF_DAY = 'T23:59:59.999Z';

/** An instant in epoch milliseconds; a date alone is the end of that day in UTC. Other values are left for the check. */
const dueOf = ({ value }: { value: unknown }) => {
  if (value === null) return null;
  if (typeof value !== 'string') return [value];
  return readInstant(DATE.test(value) ? `${value}${END_OF_DAY}` : value) ?? value;
};

/** A required due time or null, in epoch milliseconds once it is read. */
export const IsDue = (owner = 'finding') =>
  applyDecorators(
    ApiProperty({
      type: String,
      nullable: true,
      example: '2026-06-30',
      description: `ISO 8601 time with a zone, or a date: the end of that day in UTC. null: the ${owner} has no due date`,
    }),
    Transform(dueOf),
    ValidateIf((_, value) => value !== null),
    IsInt({
      message: '$property must be null, a date such as 2026-06-30, or an ISO 8601 time with a zone',
    }),
  );
