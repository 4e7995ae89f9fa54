import { ApiProperty } from '@nestjs/swagger';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { pageOf } from '../paging/page.ts';

export class CommentDto {
  @ApiProperty({ description: 'Unique among the comments of the finding' })
  id!: string;
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({ type: String, nullable: true, description: 'User who wrote it' })
  by!: string | null;
  @ApiProperty({
    description: 'Markdown as written. Sanitize what you render: users can write any text',
  })
  text!: string;
  @ApiProperty({ type: [String], description: 'Users that the text mentions' })
  mentions!: string[];
}

export class CommentPageDto extends pageOf(CommentDto) {}

export class CommentsQuery extends AsOfPageQuery {}
