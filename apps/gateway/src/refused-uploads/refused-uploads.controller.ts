import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../auth/scopes.ts';
import { RefusedUploadsDto, RefusedUploadsQuery } from './refused-uploads.dto.ts';
import { RefusedUploads } from './refused-uploads.service.ts';

@ApiTags('uploads')
@ApiBearerAuth()
@Controller('api/v3/refused-uploads')
@RequiresScope('uploads:read')
export class RefusedUploadsController {
  constructor(private readonly refused: RefusedUploads) {}

  @Get()
  @ApiOperation({
    summary: 'Counts uploads that were refused as a whole, by day, kind, status and reason',
    description:
      'Nothing of such an upload is stored, so no list of uploads has it. Malformed entries of an accepted ZIP are in its ' +
      'outcome instead, requests without access in `GET /api/v3/security-events`, and refused records of the inbox in its ' +
      'topic. Counts are stored within five seconds and kept for 90 days; a gateway that is killed loses those of its last ' +
      'seconds.',
  })
  @ApiOkResponse({ type: RefusedUploadsDto })
  read(@Query() { days }: RefusedUploadsQuery): Promise<RefusedUploadsDto> {
    return this.refused.read(days);
  }
}
