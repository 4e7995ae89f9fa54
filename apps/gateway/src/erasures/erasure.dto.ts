import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsDefined,
  IsIn,
  IsObject,
  IsString,
  Length,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { Trimmed } from '../http/trimmed.ts';
import { pageOf } from '../paging/page.ts';

const NAME_CHARACTERS_MAX = 1_000;
const REASON_CHARACTERS_MAX = 4_000;
const SUBJECT_TYPES = ['user', 'machine', 'person'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];
const ID = /^[\w-]{22}$/;

const IfNamed = () =>
  ValidateIf(
    ({ id, type, name }: SubjectDto) => id === undefined || type !== undefined || name !== undefined,
  );

const IsAlone = () =>
  ValidateBy({
    name: 'isAlone',
    validator: {
      validate: (id: unknown, args) => {
        const { type, name } = args!.object as SubjectDto;
        return typeof id === 'string' && ID.test(id) && type === undefined && name === undefined;
      },
      defaultMessage: () => '$property must be the id of a subject, in 22 characters, without type and name',
    },
  });

/** A subject by its type and name, or by its id. */
class SubjectDto {
  @IfNamed()
  @IsIn(SUBJECT_TYPES)
  type?: SubjectType;

  @IfNamed()
  @Trimmed()
  @IsString()
  @Length(1, NAME_CHARACTERS_MAX)
  name?: string;

  @MayBeLeftOut()
  @IsAlone()
  id?: string;
}

/** With type and name, or with id. */
export type Subject = Pick<SubjectDto, keyof SubjectDto>;

const NAMED = {
  type: 'object' as const,
  additionalProperties: false,
  required: ['type', 'name'],
  properties: {
    type: {
      type: 'string' as const,
      enum: [...SUBJECT_TYPES],
      description:
        '`user`: a user entity; `machine`: a machine that is sealed (`SEAL_MACHINES`); `person`: a person who acted, or an API token',
    },
    name: {
      type: 'string' as const,
      minLength: 1,
      maxLength: NAME_CHARACTERS_MAX,
      description:
        'Name of the user entity or of the machine, in any case; or user name of a deleted credential, PROVIDER:NAME of a user of an identity provider, or token:NAME',
    },
  },
};

const BY_ID = {
  type: 'object' as const,
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: {
      type: 'string' as const,
      pattern: ID.source,
      description: 'Id of the subject, by which an erased one is known',
    },
  },
};

export class EraseDto {
  @ApiProperty({ oneOf: [NAMED, BY_ID], example: { type: 'user', name: 'ana@acme.com' } })
  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => SubjectDto)
  subject!: Subject;

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

const ERASURE_STATES = ['pending', 'erased'] as const;
type ErasureState = (typeof ERASURE_STATES)[number];

/** An erased subject. */
export class ErasureDto {
  @ApiProperty({ example: 'hM2dVx0uTlOyqk0pXv1nCA', description: 'Id of the subject' })
  id!: string;
  @ApiProperty({
    enum: ERASURE_STATES,
    description: '`erased`: the key is destroyed; `pending`: the service still has to destroy it',
  })
  state!: ErasureState;
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
    description:
      'Number of sealed texts of the subject in its asset, the findings of it, and the audit trail',
  })
  erasedValues!: number;
  @ApiProperty({
    type: [String],
    example: ['person:ana@acme.com'],
    description:
      'Subjects that are not erased by this request: with the same name, unless the subject was named by its id, and other names of the same API token',
  })
  sameName!: string[];
}

export class ErasurePageDto extends pageOf(ErasureDto) {}
