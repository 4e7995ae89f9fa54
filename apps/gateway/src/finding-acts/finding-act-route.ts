import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { MayBePending } from '../acts/pending.interceptor.ts';
import { FindingDto } from '../findings/finding.dto.ts';

/** The route of an act on one finding: it returns the finding after the act. */
export const FindingActRoute = (name: string, { summary, conflict }: { summary: string; conflict: string }) =>
  applyDecorators(
    Post(`:id/${name}`),
    HttpCode(200),
    ApiOperation({ summary }),
    ApiOkResponse({ type: FindingDto }),
    MayBePending(),
    ApiNotFoundResponse({ description: 'The finding does not exist' }),
    ApiConflictResponse({ description: conflict }),
  );
