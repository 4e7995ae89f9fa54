import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { pageOf } from '../paging/page.ts';
import { ROLES, type Role } from './scopes.ts';

const ROLE_NAMES = Object.keys(ROLES) as Role[];

export class AddCredentialDto {
  @ApiProperty({ example: 'scanner-berlin', description: '1 to 100 letters, digits and . _ - @ +' })
  @Matches(/^[\w.@+-]{1,100}$/, { message: 'username must be 1 to 100 letters, digits and . _ - @ +' })
  username!: string;

  @ApiProperty({
    enum: ROLE_NAMES,
    description:
      '`admin`: full access; `analyst`: read access, accept, revert and upload; `viewer`: read access',
  })
  @IsIn(ROLE_NAMES)
  role!: Role;
}

/** A credential of the API. */
export class CredentialDto extends AddCredentialDto {
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
}

class PasswordDto {
  @ApiProperty({ description: 'Returned only in this response' })
  password!: string;
}

export class CredentialWithPasswordDto extends IntersectionType(CredentialDto, PasswordDto) {}

export class CredentialPageDto extends pageOf(CredentialDto) {}
