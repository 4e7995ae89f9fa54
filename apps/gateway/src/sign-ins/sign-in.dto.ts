import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

const CODE_CHARACTERS_MAX = 8_192;
const TEXT_CHARACTERS_MAX = 1_024;
const PROOF_CHARACTERS_MAX = 2_048;

class SignInOptionDto {
  @ApiProperty({ example: 'corp' })
  id!: string;
  @ApiProperty({ example: 'Corporate account' })
  label!: string;
}

export class SignInOptionsDto {
  @ApiProperty({ type: [SignInOptionDto] })
  items!: SignInOptionDto[];
}

export class StartedSignInDto {
  @ApiProperty({
    format: 'uri',
    description: 'Send the browser there. The provider returns it to the console',
  })
  url!: string;
  @ApiProperty({
    description:
      'Keep it where only this browser tab can read it (`sessionStorage`), and send it with the parameters of the provider. ' +
      'Valid for ten minutes',
  })
  proof!: string;
}

export class ProviderLogoutDto {
  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description:
      'Send the browser there. The provider returns it to the console; null: the provider has no such page',
  })
  url!: string | null;
}

/** What the provider added to the redirect URI. */
export class FinishSignInDto {
  @ApiProperty({ maxLength: PROOF_CHARACTERS_MAX, description: '`proof` of the start of this sign-in' })
  @IsString()
  @MaxLength(PROOF_CHARACTERS_MAX)
  proof!: string;

  @ApiProperty({ maxLength: TEXT_CHARACTERS_MAX })
  @IsString()
  @MaxLength(TEXT_CHARACTERS_MAX)
  state!: string;

  @ApiPropertyOptional({ maxLength: CODE_CHARACTERS_MAX })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(CODE_CHARACTERS_MAX)
  code?: string;

  @ApiPropertyOptional({ maxLength: TEXT_CHARACTERS_MAX, description: 'Issuer (RFC 9207)' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(TEXT_CHARACTERS_MAX)
  iss?: string;

  @ApiPropertyOptional({ maxLength: TEXT_CHARACTERS_MAX, description: 'Error of the provider' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(TEXT_CHARACTERS_MAX)
  error?: string;
}
