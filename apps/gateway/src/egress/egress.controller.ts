import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../auth/scopes.ts';
import { EgressDto } from './egress.dto.ts';

@ApiTags('integrations')
@ApiBearerAuth()
@Controller('api/v3/egress')
@RequiresScope('integrations:read')
export class EgressController {
  constructor(private readonly egress: EgressDto) {}

  @Get()
  @ApiOperation({ summary: 'Returns the IP address from which integrations send requests' })
  @ApiOkResponse({ type: EgressDto })
  get(): EgressDto {
    return this.egress;
  }
}
