import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { PendingActDto } from '../acts/pending-act.ts';
import { FindingDto } from '../findings/finding.dto.ts';

/** The route of an act on one finding: it returns the finding after the act. */
export const FindingActRoute = (name: string, { summary, conflict }: { summary: string; conflict: string }) =>
  applyDecorators(
    Post(`:id/${name}`),
    HttpCode(200),
    ApiOperation({ summary }),
    ApiOkResponse({ type: FindingDto }),
    ApiAcceptedResponse({ type: PendingActDto, description: 'Stored in the log, processing pending' }),
    ApiNotFoundResponse({ description: 'The finding does not exist' }),
    ApiConflictResponse({ description: conflict }),
  );
