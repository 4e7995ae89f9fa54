import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsSeenVersion } from '../http/seen-version.ts';
import { Trimmed } from '../http/trimmed.ts';
import { PageQuery, pageOf } from '../paging/page.ts';
import { QUERY_CHARACTERS_MAX } from '../query-terms/address-query.ts';

/** Lists of which views can be saved. */
export const VIEWED_LISTS = ['findings', 'assets'] as const;
export type ViewedList = (typeof VIEWED_LISTS)[number];

const NAME_CHARACTERS_MAX = 100;

const IsViewName = () =>
  applyDecorators(
    ApiProperty({
      minLength: 1,
      maxLength: NAME_CHARACTERS_MAX,
      pattern: String.raw`^[^\u0000-\u001f\u007f]*[^\u0000-\u0020\u007f][^\u0000-\u001f\u007f]*$`,
      example: 'Exploited, Berlin',
      description: 'Unique among the views of its owner on the list',
    }),
    Trimmed(),
    IsString(),
    MaxLength(NAME_CHARACTERS_MAX),
    Matches(/^[^\p{Cc}]+$/u, { message: 'name must not be empty and must not contain control characters' }),
  );

class ViewFieldsDto {
  @IsViewName()
  name!: string;

  @ApiProperty({ enum: VIEWED_LISTS })
  @IsIn(VIEWED_LISTS, { message: `list must be one of ${VIEWED_LISTS.join(', ')}` })
  list!: ViewedList;

  @ApiProperty({
    maxLength: QUERY_CHARACTERS_MAX,
    example: 'state=Failed&severityMin=7&sort=-severity',
    description:
      'Query parameters of `GET /api/v3/findings` or `GET /api/v3/assets`, encoded as in an address, without `limit`, `cursor` and `asOf`. ' +
      'Of findings also `by` of `GET /api/v3/findings/groups`: the view shows groups. Empty: the whole list',
  })
  @IsString()
  @MaxLength(QUERY_CHARACTERS_MAX)
  query!: string;

  @ApiProperty({ description: 'true: everyone who may read the list sees the view' })
  @IsBoolean()
  shared!: boolean;

  @ApiProperty({ description: 'true: the view with which the caller opens the list. One for each list' })
  @IsBoolean()
  default!: boolean;
}

/** Neither shared nor a default unless the body says so. */
export class AddViewDto extends IntersectionType(
  PickType(ViewFieldsDto, ['name', 'list', 'query']),
  PartialType(PickType(ViewFieldsDto, ['shared', 'default']), { skipNullProperties: false }),
) {}

/** Omitted fields keep their values. */
export class ChangeViewDto extends PartialType(
  PickType(ViewFieldsDto, ['name', 'query', 'shared', 'default']),
  { skipNullProperties: false },
) {
  @IsSeenVersion('view')
  version?: number;
}

export class ViewsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: VIEWED_LISTS, description: 'Default: views of all lists' })
  @MayBeLeftOut()
  @IsIn(VIEWED_LISTS, { message: `list must be one of ${VIEWED_LISTS.join(', ')}` })
  list?: ViewedList;
}

/** A name for the query of a list. */
export class ViewDto extends ViewFieldsDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ example: 'corp:alice@example.com', description: 'User name of the owner' })
  owner!: string;
  @ApiProperty({ description: 'true: the view belongs to the caller' })
  own!: boolean;
  @ApiProperty({ minimum: 1, description: 'Each change by its owner increments it' })
  version!: number;
  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

export class ViewPageDto extends pageOf(ViewDto) {}
