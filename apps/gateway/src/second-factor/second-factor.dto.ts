import { ApiProperty } from '@nestjs/swagger';
import { Matches, MaxLength, MinLength } from 'class-validator';
import { CODE, CODE_FORM } from '../auth/second-factor-code.ts';

const PASSWORD_CHARACTERS_MAX = 256;
const PASSWORD_FORM = { message: `password must have 1 to ${PASSWORD_CHARACTERS_MAX} characters` };

export class SecondFactorDto {
  @ApiProperty({ description: 'Whether sign-ins require a code' })
  isEnabled!: boolean;
  @ApiProperty({ description: 'Whether the role of the user must have a second factor' })
  isRequired!: boolean;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until when the user can sign in without a required second factor; null if none is missing',
  })
  dueAt!: string | null;
  @ApiProperty({ type: 'integer', description: 'Number of recovery codes that are left' })
  recoveryCodes!: number;
}

export class BeginSecondFactorDto {
  @ApiProperty({ minLength: 1, maxLength: PASSWORD_CHARACTERS_MAX, description: 'Password of the user' })
  @MinLength(1, PASSWORD_FORM)
  @MaxLength(PASSWORD_CHARACTERS_MAX, PASSWORD_FORM)
  password!: string;
}

/** What an authenticator app needs; returned only once. */
export class BegunSecondFactorDto {
  @ApiProperty({ description: 'Secret in base32, for apps without a camera' })
  secret!: string;
  @ApiProperty({ description: 'The same as an `otpauth://` address (TOTP, SHA-1, six digits, 30 seconds)' })
  uri!: string;
  @ApiProperty({ description: 'QR code of the address, as an SVG image' })
  qrCode!: string;
}

export class SecondFactorCodeDto {
  @ApiProperty({
    pattern: CODE.source,
    description: `Code of the authenticator app or a recovery code: ${CODE_FORM}`,
  })
  @Matches(CODE, { message: `code must be ${CODE_FORM}` })
  code!: string;
}

export class RecoveryCodesDto {
  @ApiProperty({
    type: [String],
    description: 'Each signs in once, in place of a code. Returned only in this response',
  })
  recoveryCodes!: string[];
}
