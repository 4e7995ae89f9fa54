import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsObject,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { FINDING_TAGS_MAX, FINDING_TICKETS_MAX } from '#libs/domain';
import { FindingVersionDto } from '../finding-acts/finding-version.dto.ts';
import {
  AssigneeDto,
  TAG,
  TAG_RULE,
  TICKET_URL,
  TICKET_URL_CHARACTERS_MAX,
  TICKET_URL_RULE,
  TicketDto,
} from '../findings/triage-values.dto.ts';
import { IsListOf } from '../http/is-list-of.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { Trimmed } from '../http/trimmed.ts';
import { IsDue } from './due-value.ts';

const REASON_CHARACTERS_MAX = 4_000;
const COMMENT_CHARACTERS_MAX = 10_000;

const IsTags = (description: string) => (target: object, property: string) => {
  const options = {
    isArray: true,
    type: String,
    maxItems: FINDING_TAGS_MAX,
    pattern: TAG.source,
    description,
  };
  ApiPropertyOptional(options)(target, property);
  MayBeLeftOut()(target, property);
  Transform(({ value }) =>
    Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one.toLowerCase() : one)) : value,
  )(target, property);
  IsArray()(target, property);
  ArrayMaxSize(FINDING_TAGS_MAX)(target, property);
  Matches(TAG, { each: true, message: `each value in $property must be ${TAG_RULE}` })(target, property);
};

/** Makes a user or a team responsible. */
export class AssignmentDto {
  @ApiProperty({ type: AssigneeDto, nullable: true, description: 'null: removes the assignment' })
  @ValidateIf((_, value) => value !== null)
  @IsObject({ message: '$property must be null or an object with type and name' })
  @ValidateNested()
  @Type(() => AssigneeDto)
  assignee!: AssigneeDto | null;
}

/** Adds and removes tags. */
export class TaggingDto {
  @IsTags('Tags to add')
  add?: string[];

  @IsTags('Tags to remove')
  remove?: string[];
}

/** Sets or removes the due date. */
export class DueDto {
  @IsDue()
  due!: number | null;

  @ApiPropertyOptional({ maxLength: REASON_CHARACTERS_MAX })
  @MayBeLeftOut()
  @Trimmed()
  @IsString()
  @MaxLength(REASON_CHARACTERS_MAX)
  reason?: string;
}

/** Attaches and detaches tickets. */
export class TicketsDto {
  @ApiPropertyOptional({
    type: [TicketDto],
    maxItems: FINDING_TICKETS_MAX,
    description: 'Tickets to attach. One with the address of an attached ticket replaces it',
  })
  @MayBeLeftOut()
  @IsListOf(TicketDto, FINDING_TICKETS_MAX)
  attach?: TicketDto[];

  @ApiPropertyOptional({
    type: [String],
    maxItems: FINDING_TICKETS_MAX,
    maxLength: TICKET_URL_CHARACTERS_MAX,
    pattern: TICKET_URL.source,
    description: 'Addresses of the tickets to detach',
  })
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(FINDING_TICKETS_MAX)
  @IsString({ each: true })
  @MaxLength(TICKET_URL_CHARACTERS_MAX, { each: true })
  @Matches(TICKET_URL, { each: true, message: `each value in $property must be ${TICKET_URL_RULE}` })
  detach?: string[];
}

/** Adds a comment. */
export class CommentingDto {
  @ApiProperty({
    maxLength: COMMENT_CHARACTERS_MAX,
    example: 'Patched on **web01**, @ana please verify',
    description: 'Markdown. `@name` mentions a user who has an account; at most 20',
  })
  @Trimmed()
  @IsString()
  @Length(1, COMMENT_CHARACTERS_MAX)
  text!: string;
}

export class AssignFindingDto extends IntersectionType(AssignmentDto, FindingVersionDto) {}
export class TagFindingDto extends IntersectionType(TaggingDto, FindingVersionDto) {}
export class SetDueDto extends IntersectionType(DueDto, FindingVersionDto) {}
export class ChangeTicketsDto extends IntersectionType(TicketsDto, FindingVersionDto) {}
export class CommentFindingDto extends IntersectionType(CommentingDto, FindingVersionDto) {}
