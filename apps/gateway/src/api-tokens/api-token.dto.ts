import { applyDecorators } from '@nestjs/common';
import {
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  IntersectionType,
  PartialType,
} from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { isNetwork } from '../auth/networks.ts';
import { AddRowLimitsDto, ChangeRowLimitsDto, RowLimitsDto } from '../auth/row-limits.dto.ts';
import { SCOPES, type Scope } from '../auth/scopes.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { IsInstant } from '../paging/instant.ts';
import { pageOf } from '../paging/page.ts';

const NETWORKS_MAX = 20;
const OVERLAP_SECONDS_MAX = 7 * 86_400;
const OVERLAP_SECONDS = 3_600;

const IsScopes = () =>
  applyDecorators(
    ApiProperty({ enum: SCOPES, isArray: true, example: ['signals:write', 'uploads:read'] }),
    IsArray(),
    ArrayNotEmpty(),
    ArrayUnique(),
    IsIn(SCOPES, { each: true, message: `scopes must be one or more of ${SCOPES.join(', ')}` }),
  );

const NETWORKS: ApiPropertyOptions = {
  type: [String],
  maxItems: NETWORKS_MAX,
  example: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'],
  description: 'Addresses and networks (CIDR) that may use the token. Empty: any',
};

class ApiTokenNameDto {
  @ApiProperty({ example: 'scanner-berlin', description: '1 to 100 letters, digits and . _ - @ +' })
  @Matches(/^[\w.@+-]{1,100}$/, { message: 'name must be 1 to 100 letters, digits and . _ - @ +' })
  name!: string;

  @IsScopes()
  scopes!: Scope[];
}

class NetworksDto {
  @ApiPropertyOptional(NETWORKS)
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(NETWORKS_MAX)
  @ArrayUnique()
  @ValidateBy(
    { name: 'isNetwork', validator: { validate: isNetwork } },
    { each: true, message: 'networks must be a list of addresses or networks such as 10.0.0.0/8' },
  )
  networks?: string[];
}

export class AddApiTokenDto extends IntersectionType(ApiTokenNameDto, NetworksDto, AddRowLimitsDto) {
  @IsInstant({ description: 'End of the token, at most ten years ahead. Default: it does not expire' })
  expiresAt?: number;
}

/** Omitted fields are unchanged. */
export class ChangeApiTokenDto extends IntersectionType(
  PartialType(ApiTokenNameDto, { skipNullProperties: false }),
  NetworksDto,
  ChangeRowLimitsDto,
) {
  @IsInstant({
    description: 'End of the token, at most ten years ahead; null: it does not expire. Default: unchanged',
    nullable: true,
  })
  expiresAt?: number | null;

  @IsSeenVersion('API token')
  version?: number;
}

export class RotateApiTokenDto {
  @ApiPropertyOptional({
    minimum: 0,
    maximum: OVERLAP_SECONDS_MAX,
    default: OVERLAP_SECONDS,
    description: 'Seconds in which the previous secret is valid too',
  })
  @MayBeLeftOut()
  @IsInt()
  @Min(0)
  @Max(OVERLAP_SECONDS_MAX)
  overlapSeconds: number = OVERLAP_SECONDS;

  @IsInstant({
    description:
      'New end of the token, at most ten years ahead. Default: unchanged. Required if the token has expired',
  })
  expiresAt?: number;
}

/** A long-lived token of a program. */
export class ApiTokenDto extends IntersectionType(ApiTokenNameDto, RowLimitsDto) {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty(NETWORKS)
  networks!: string[];
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null: it does not expire' })
  expiresAt!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until when the secret before the last rotation is valid; null if it is not',
  })
  previousUntil!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Last use, written every ten seconds; null if the token has never been used',
  })
  lastUsedAt!: string | null;
  @ApiProperty({ minimum: 1, description: 'Each change and each rotation increments it' })
  version!: number;
}

class SecretDto {
  @ApiProperty({
    description: 'Send it as `Authorization: Bearer <token>`. Returned only in this response',
    example: 'posture_kQ0…',
  })
  token!: string;
}

export class ApiTokenWithSecretDto extends IntersectionType(ApiTokenDto, SecretDto) {}

export class ApiTokenPageDto extends pageOf(ApiTokenDto) {}
