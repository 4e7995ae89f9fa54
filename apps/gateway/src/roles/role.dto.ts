import { ApiProperty } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, Matches } from 'class-validator';
import { SCOPES, type Scope } from '../auth/scopes.ts';

export const ROLE_NAME = /^[a-z][a-z0-9-]{0,39}$/;

export class ChangeRoleDto {
  @ApiProperty({ enum: SCOPES, isArray: true, example: ['findings:read', 'findings:accept'] })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(SCOPES, { each: true, message: `scopes must be one or more of ${SCOPES.join(', ')}` })
  scopes!: Scope[];
}

export class AddRoleDto extends ChangeRoleDto {
  @ApiProperty({
    example: 'triage',
    description: 'A small letter, then up to 39 of them, digits and hyphens',
  })
  @Matches(ROLE_NAME, { message: 'name must be 1 to 40 small letters, digits and hyphens, a letter first' })
  name!: string;
}

/** A named set of scopes. */
export class RoleDto extends AddRoleDto {
  @ApiProperty({ description: 'Whether it is part of the product: admin, analyst or viewer' })
  isBuiltIn!: boolean;
}

export class RolesDto {
  @ApiProperty({ type: [RoleDto], description: 'Built-in roles first, then the others by name' })
  items!: RoleDto[];
}
