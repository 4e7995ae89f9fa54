import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { Trimmed } from '../http/trimmed.ts';

const URL_CHARACTERS_MAX = 2_000;
const CREDENTIAL_CHARACTERS_MAX = 1_000;
const NAMES_MAX = 100;
const NAME_CHARACTERS_MAX = 200;
const DAYS_MAX = 365;

/** Null if it is no address that paths can be appended to, or contains user name or password. */
function readBaseUrl(text: string): string | null {
  if (!/^https?:\/\/[^\s?#\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username || url.password ? null : url.href.replace(/(?<!\/)\/+$/, '');
}

/** As it is sent, without a slash at its end; an invalid value is unchanged, and the check rejects it. */
const normalised = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? (readBaseUrl(value.trim()) ?? value) : value;

/** The base URL of an external platform. */
export const IsBaseUrl = () =>
  applyDecorators(
    ApiProperty({
      format: 'uri',
      maxLength: URL_CHARACTERS_MAX,
      example: 'https://platform.example',
      description:
        'URL that starts with `http://` or `https://`, without user name, query and fragment. It must be a public address unless the setting `egressAllow` contains it',
    }),
    Transform(normalised),
    IsString(),
    MaxLength(URL_CHARACTERS_MAX),
    ValidateBy(
      {
        name: 'isBaseUrl',
        validator: { validate: (value) => typeof value === 'string' && readBaseUrl(value) !== null },
      },
      {
        message:
          '$property must be a URL that starts with http:// or https://, without user name, query and fragment',
      },
    ),
  );

/** One half of the external platform's credentials; it is sent in headers. */
export const IsCredential = (options: { writeOnly?: true; description: string }) =>
  applyDecorators(
    ApiProperty({
      minLength: 1,
      maxLength: CREDENTIAL_CHARACTERS_MAX,
      ...options,
      ...(options.writeOnly && { format: 'password' }),
    }),
    Trimmed(),
    IsString(),
    Length(1, CREDENTIAL_CHARACTERS_MAX),
    Matches(/^[\x21-\x7e]*$/, { message: '$property must contain only visible ASCII characters' }),
  );

const listed = ({ value }: { value: unknown }) => {
  const names = typeof value === 'string' ? value.split(',').filter((name) => name.trim() !== '') : value;
  if (!Array.isArray(names)) return names;
  return [
    ...new Set(names.map((name: unknown) => (typeof name === 'string' ? name.trim() : name))),
  ] as unknown[];
};

/** A comma-separated text, or a list; each name once. */
export const IsNameList = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({
      oneOf: [
        { type: 'string', description: 'Values, separated by commas' },
        {
          type: 'array',
          description: `At most ${NAMES_MAX} different values`,
          items: { type: 'string', minLength: 1, maxLength: NAME_CHARACTERS_MAX },
        },
      ],
      default: [],
      description,
    }),
    Transform(listed),
    IsArray({ message: '$property must be a comma-separated string or a list' }),
    ArrayMaxSize(NAMES_MAX),
    IsString({ each: true, message: '$property must be a list of strings' }),
    Length(1, NAME_CHARACTERS_MAX, {
      each: true,
      message: `$property must contain only strings of 1 to ${NAME_CHARACTERS_MAX} characters`,
    }),
  );

export const IsSyncDays = () =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: 1,
      maximum: DAYS_MAX,
      nullable: true,
      default: 1,
      description: 'Interval of automatic syncs in days, at 01:15 UTC; null for no automatic syncs',
    }),
    ValidateIf((_, value) => value !== null),
    IsInt(),
    Min(1),
    Max(DAYS_MAX),
  );
