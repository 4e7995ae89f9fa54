import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsEmail, IsString, Length, Matches, MaxLength } from 'class-validator';
import { MayBeNull } from '../http/may-be-left-out.ts';
import { IsReceiverUrl } from './receiver-url.ts';

export const MAIL_ADDRESS_CHARACTERS_MAX = 254;
const USER_CHARACTERS_MAX = 200;

/** A mail server with the sender. Its password is a field of the requests. */
export class MailServerDto {
  @IsReceiverUrl('mailServer')
  url!: string;

  @ApiProperty({ format: 'email', maxLength: MAIL_ADDRESS_CHARACTERS_MAX, description: 'Sender' })
  @IsEmail()
  @MaxLength(MAIL_ADDRESS_CHARACTERS_MAX)
  from!: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: USER_CHARACTERS_MAX,
    description:
      'User name at the mail server, if it requires one. It then requires encryption, and `password`',
  })
  @MayBeNull()
  @IsString()
  @Length(1, USER_CHARACTERS_MAX)
  @Matches(/^[^\0\r\n]+$/, { message: 'user must not contain line breaks' })
  user?: string | null;
}
