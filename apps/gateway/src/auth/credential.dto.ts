import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { pageOf } from '../paging/page.ts';
import type { Role } from './roles.ts';

const ROLES: Role[] = ['admin', 'analyst', 'viewer'];

export class AddCredentialDto {
  @ApiProperty({ example: 'scanner-berlin', description: '1 to 100 letters, digits and . _ - @ +' })
  @Matches(/^[\w.@+-]{1,100}$/, { message: 'username must be 1 to 100 letters, digits and . _ - @ +' })
  username!: string;

  @ApiProperty({
    enum: ROLES,
    description: '`admin` may do everything, `analyst` accepts, reverts and uploads, `viewer` reads (D25)',
  })
  @IsIn(ROLES)
  role!: Role;
}

/** Who may use the API (api.md). */
export class CredentialDto extends AddCredentialDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Last sign-in; null: never',
  })
  lastUsedAt!: string | null;
}

class PasswordDto {
  @ApiProperty({ description: 'Shown this once' })
  password!: string;
}

export class CredentialWithPasswordDto extends IntersectionType(CredentialDto, PasswordDto) {}

export class CredentialPageDto extends pageOf(CredentialDto) {}
