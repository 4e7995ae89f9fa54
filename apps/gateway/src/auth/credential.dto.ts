import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { pageOf } from '../paging/page.ts';
import { AddRowLimitsDto, RowLimitsDto } from './row-limits.dto.ts';

/** As of `roles`. */
const ROLE_NAME = /^[a-z][a-z0-9-]{0,39}$/;

class NamedCredentialDto {
  @ApiProperty({ example: 'scanner-berlin', description: '1 to 100 letters, digits and . _ - @ +' })
  @Matches(/^[\w.@+-]{1,100}$/, { message: 'username must be 1 to 100 letters, digits and . _ - @ +' })
  username!: string;

  @ApiProperty({
    example: 'viewer',
    pattern: ROLE_NAME.source,
    description:
      '`admin`: full access; `analyst`: read access, accept, revert and upload; `viewer`: read access; or a name of `GET /api/v3/roles`',
  })
  @Matches(ROLE_NAME, { message: 'role must be admin, analyst, viewer or the name of a role' })
  role!: string;
}

export class AddCredentialDto extends IntersectionType(NamedCredentialDto, AddRowLimitsDto) {}

/** A credential of the API. */
export class CredentialDto extends IntersectionType(NamedCredentialDto, RowLimitsDto) {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Last sign-in; null if the credential has never been used',
  })
  lastUsedAt!: string | null;
  @ApiProperty({ description: 'Whether its sign-ins require a code of a second factor' })
  hasSecondFactor!: boolean;
  @ApiProperty({
    description: 'Whether it is the credential for emergencies, which signs in when LOCAL_SIGN_IN is off',
  })
  isBreakGlass!: boolean;
}

class PasswordDto {
  @ApiProperty({ description: 'Returned only in this response' })
  password!: string;
}

export class CredentialWithPasswordDto extends IntersectionType(CredentialDto, PasswordDto) {}

export class CredentialPageDto extends pageOf(CredentialDto) {}
