import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

/** U+0000, which no stored text contains and PostgreSQL rejects. */
const WITHOUT_NUL = /^[^\0]*$/;
/** The same in words that every dialect of regular expressions knows. */
export const WITHOUT_NUL_PATTERN = String.raw`^[^\u0000]*$`;

interface TextOptions {
  description?: string;
  example?: string;
  /** In UTF-16 code units. */
  lengthMax: number;
}

/** An optional text of a query, given once. */
export const IsText = ({ lengthMax, ...described }: TextOptions) =>
  applyDecorators(
    ApiPropertyOptional({ ...described, maxLength: lengthMax, pattern: WITHOUT_NUL_PATTERN }),
    MayBeLeftOut(),
    IsString(),
    MaxLength(lengthMax),
    Matches(WITHOUT_NUL, { message: '$property must not contain U+0000' }),
  );
