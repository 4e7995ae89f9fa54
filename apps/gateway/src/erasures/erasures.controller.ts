import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { MayBePending } from '../acts/pending.interceptor.ts';
import type { PendingAct } from '../acts/pending-act.ts';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { RequiresScope } from '../auth/scopes.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { EraseDto, ErasedDto, type ErasureDto, ErasurePageDto } from './erasure.dto.ts';
import { ErasuresService } from './erasures.service.ts';

@ApiTags('erasures')
@ApiBearerAuth()
@Controller('api/v3/erasures')
@RequiresScope('erasures:write')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Erases the personal texts of a subject: destroys their key, which cannot be undone',
    description:
      'Readers show `erased` in place of each text. Findings and scores stay. The request can be repeated: a second erasure returns the first. Only texts that were sealed can be erased (`SEAL_PERSONAL_TEXTS`).',
  })
  @ApiOkResponse({ type: ErasedDto })
  @MayBePending()
  @ApiNotFoundResponse({
    description: 'The subject is unknown. An erased subject is known only by its id',
  })
  @ApiConflictResponse({ description: 'The subject is a person with a credential' })
  erase(@Body() given: EraseDto, @CalledBy() caller: Caller): Promise<ErasedDto | PendingAct> {
    return this.erasures.erase(given, caller);
  }

  @Get()
  @RequiresScope('erasures:read')
  @ApiOperation({ summary: 'Lists erasures, newest first, with the time at which the key was destroyed' })
  @ApiOkResponse({ type: ErasurePageDto })
  list(@Query() query: PageQuery): Promise<Page<ErasureDto>> {
    return this.erasures.list(query);
  }
}
