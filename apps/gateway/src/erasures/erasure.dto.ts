import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';
import { Trimmed } from '../organization/asset-option.dto.ts';
import { pageOf } from '../paging/page.ts';

const SUBJECT_CHARACTERS_MAX = 1_000;
const REASON_CHARACTERS_MAX = 4_000;
/** A kind and a name, or an id. */
const SUBJECT = /^(?:(?:user|person):\s*[^\0\s][^\0]*|[\w-]{22})$/s;

export class EraseDto {
  @ApiProperty({
    maxLength: SUBJECT_CHARACTERS_MAX,
    example: 'user:ana@acme.com',
    description:
      '`user:` and the name of a user entity, in any case; `person:` and the user name of a deleted credential; or the id of a subject, which is 22 characters',
  })
  @Trimmed()
  @IsString()
  @Length(1, SUBJECT_CHARACTERS_MAX)
  @Matches(SUBJECT, {
    message: '$property must be `user:` or `person:` and a name, or the id of a subject in 22 characters',
  })
  subject!: string;

  @ApiProperty({
    maxLength: REASON_CHARACTERS_MAX,
    example: 'Request of 12 May, ticket 42',
    description: 'For the audit trail. Do not name the person',
  })
  @Trimmed()
  @IsString()
  @Length(1, REASON_CHARACTERS_MAX)
  reason!: string;
}

/** An erased subject. */
export class ErasureDto {
  @ApiProperty({ example: 'hM2dVx0uTlOyqk0pXv1nCA', description: 'Id of the subject' })
  subject!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Time of the erasure; null if the log does not contain it, because a restore repeated it from the erasure list',
  })
  at!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'User name of the admin' })
  by!: string | null;
  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when no text of the subject can be decrypted; null if the key is not destroyed yet',
  })
  keyDestroyedAt!: string | null;
}

/** The answer to an erasure. */
export class ErasedDto extends ErasureDto {
  @ApiProperty({
    type: [String],
    example: ['person:ana@acme.com'],
    description:
      'Other subjects with the same name, which are not erased by this request. Empty if the subject was named by its id',
  })
  sameName!: string[];
}

export class ErasurePageDto extends pageOf(ErasureDto) {}
