import { BadRequestException, Body, Controller, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiConsumes,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/scopes.ts';
import { ReadBodyAs } from '../http/body.interceptor.ts';
import { EndedSessionsDto } from '../sessions/session.dto.ts';
import { LogoutService } from './logout.service.ts';

const TOKEN_CHARACTERS_MAX = 16_384;

@ApiTags('auth')
@Controller('api/v3/sign-in')
@Public()
export class LogoutController {
  constructor(private readonly logouts: LogoutService) {}

  @Post(':provider/logout')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ReadBodyAs('bytes')
  @ApiOperation({
    summary: 'Ends sessions that an identity provider has ended (OpenID Connect Back-Channel Logout)',
    description: 'Only identity providers call it. The logout token is signed by the provider.',
  })
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['logout_token'],
      properties: { logout_token: { type: 'string', minLength: 1, maxLength: TOKEN_CHARACTERS_MAX } },
    },
  })
  @ApiOkResponse({ type: EndedSessionsDto })
  @ApiBadRequestResponse({ description: 'The logout token is missing or not valid' })
  @ApiNotFoundResponse({ description: 'The identity provider does not exist' })
  async logout(
    @Param('provider') provider: string,
    @Body() body: Buffer,
    @Req() { ip: address, id: requestId }: FastifyRequest,
  ): Promise<EndedSessionsDto> {
    const token = new URLSearchParams(body.toString()).get('logout_token');
    if (!token || token.length > TOKEN_CHARACTERS_MAX) {
      throw new BadRequestException('logout_token is missing: send it as application/x-www-form-urlencoded');
    }
    return { ended: await this.logouts.end(provider, token, { address, requestId }) };
  }
}
