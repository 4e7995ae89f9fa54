import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

const SECRET_CHARACTERS_MAX = 2_000;

/** A secret that is stored encrypted, and never returned. */
export const IsSecret = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      writeOnly: true,
      format: 'password',
      minLength: 1,
      maxLength: SECRET_CHARACTERS_MAX,
      description,
    }),
    MayBeLeftOut(),
    IsString(),
    Length(1, SECRET_CHARACTERS_MAX),
    Matches(/^[\x21-\x7e]+$/, {
      message: '$property must consist of visible ASCII characters, without spaces',
    }),
  );
