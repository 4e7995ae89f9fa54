import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import {
  ApiBasicAuth,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ReadBodyAs } from '../http/body.interceptor.ts';
import { TOKEN_SECONDS } from './access-tokens.ts';
import { AccessTokenDto } from './auth.dto.ts';
import { AuthService } from './auth.service.ts';
import { givenCredentials } from './given-credentials.ts';
import { Public } from './scopes.ts';
import { SecondFactorCode, SIGN_IN_REFUSED, TakesSecondFactor } from './second-factor-code.ts';

@ApiTags('auth')
@Controller('api/v3/auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post()
  @HttpCode(200)
  @Public()
  @ReadBodyAs('unread')
  @ApiBasicAuth()
  @TakesSecondFactor()
  @ApiOperation({
    summary: 'Returns an access token, valid for 60 minutes, for API credentials sent as HTTP Basic',
    description: 'The request needs no Content-Type. A body is ignored.',
  })
  @ApiOkResponse({ type: AccessTokenDto })
  @ApiUnauthorizedResponse({ description: SIGN_IN_REFUSED })
  @ApiTooManyRequestsResponse({ description: '`message` is the number of seconds to wait' })
  async signIn(
    @Headers('authorization') authorization: string | undefined,
    @SecondFactorCode() code: string | undefined,
    @Req() { ip, id }: FastifyRequest,
  ): Promise<AccessTokenDto> {
    const credentials = givenCredentials(authorization);
    return {
      accessToken: await this.auth.signIn(credentials, { address: ip, requestId: id, code }),
      status: 'success',
      expiresIn: TOKEN_SECONDS,
    };
  }
}
