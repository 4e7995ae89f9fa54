import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MayBePending } from '../acts/pending.interceptor.ts';
import type { PendingAct } from '../acts/pending-act.ts';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { RequiresScope } from '../auth/scopes.ts';
import {
  OwnerRulesDto,
  OwnerRulesPreviewDto,
  PreviewOwnerRulesDto,
  ReplaceOwnerRulesDto,
} from './owner-rules.dto.ts';
import { OwnerRules } from './owner-rules.service.ts';

@ApiTags('settings')
@ApiBearerAuth()
@Controller('api/v3/owner-rules')
@RequiresScope('settings:read')
export class OwnerRulesController {
  constructor(private readonly rules: OwnerRules) {}

  @Get()
  @ApiOperation({
    summary: 'Returns the owner rules',
    description:
      'The first rule that matches an asset gives its owner, who is also the assignee of its findings that no user has ' +
      'assigned. Owners are derived when they are read.',
  })
  @ApiOkResponse({ type: OwnerRulesDto })
  get(): OwnerRulesDto {
    return this.rules.get();
  }

  @Post()
  @HttpCode(200)
  @RequiresScope('settings:write')
  @ApiOperation({
    summary: 'Replaces all owner rules',
    description:
      'They apply at once to all assets and findings. Earlier instants keep the rules of that time.',
  })
  @ApiOkResponse({ type: OwnerRulesDto })
  @MayBePending()
  @ApiConflictResponse({ description: 'The settings have changed since `version`' })
  replace(
    @Body() body: ReplaceOwnerRulesDto,
    @CalledBy() caller: Caller,
  ): Promise<OwnerRulesDto | PendingAct> {
    return this.rules.replace(body, caller);
  }

  @Post('preview')
  @HttpCode(200)
  @RequiresScope('settings:write')
  @ApiOperation({
    summary: 'Counts the assets and findings that owner rules would give to each owner. Changes nothing',
    description: 'Looks at every asset and every open finding, which takes seconds if there are millions.',
  })
  @ApiOkResponse({ type: OwnerRulesPreviewDto })
  preview(@Body() { rules }: PreviewOwnerRulesDto): Promise<OwnerRulesPreviewDto> {
    return this.rules.preview(rules);
  }
}
