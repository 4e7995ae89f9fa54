import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../auth/scopes.ts';
import { StorageDto } from './storage.dto.ts';
import { Storage } from './storage.service.ts';

@ApiTags('settings')
@ApiBearerAuth()
@Controller('api/v3/storage')
@RequiresScope('settings:read')
export class StorageController {
  constructor(private readonly storage: Storage) {}

  @Get()
  @ApiOperation({
    summary: 'Returns the size of the database and the free space',
    description: 'Measured once a minute at most.',
  })
  @ApiOkResponse({ type: StorageDto })
  read(): Promise<StorageDto> {
    return this.storage.read();
  }
}
