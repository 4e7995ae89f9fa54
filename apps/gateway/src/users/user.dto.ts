import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { RowLimitsDto } from '../auth/row-limits.dto.ts';
import { pageOf } from '../paging/page.ts';

class NamedUserDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({
    example: 'corp:alice@example.com',
    description: 'Begins with the id of the identity provider',
  })
  name!: string;
  @ApiProperty({ description: 'Id of the identity provider' })
  provider!: string;
  @ApiProperty({ type: String, nullable: true, description: 'Name that the provider has provisioned' })
  displayName!: string | null;
  @ApiProperty({ description: 'Whether the user can sign in' })
  isActive!: boolean;
  @ApiProperty({ type: [String], description: 'Roles and scopes, as of the last check of the groups' })
  grants!: string[];
  @ApiProperty({ format: 'date-time', description: 'Of the first sign-in, or when it was provisioned' })
  createdAt!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null: never' })
  lastSignInAt!: string | null;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of sessions' })
  sessions!: number;
}

/** A user of an identity provider. */
export class UserDto extends IntersectionType(NamedUserDto, RowLimitsDto) {}

export class UserPageDto extends pageOf(UserDto) {}

export class ChangeUserDto {
  @ApiProperty({ description: 'false: the user can no longer sign in, and all sessions end' })
  @IsBoolean({ message: 'isActive must be true or false' })
  isActive!: boolean;
}
