import {
  applyDecorators,
  BadRequestException,
  createParamDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

const HEADER = 'X-Second-Factor';
/** A code of an authenticator app, or a recovery code. */
export const CODE = /^(\d{6}|[0-9A-Za-z]{4}([- ]?[0-9A-Za-z]{4}){3})$/;
export const CODE_FORM = 'six digits or a recovery code';

export const SIGN_IN_REFUSED =
  'The credentials are missing or wrong; or, with `reason`, the password is right and the code is not: `secondFactorRequired`, `secondFactorWrong`, `secondFactorNotEnrolled`';

/** The code that the request contains. @throws BadRequestException if it has another form */
export const SecondFactorCode = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const given = context.switchToHttp().getRequest<FastifyRequest>().headers[HEADER.toLowerCase()];
  if (given === undefined || given === '') return undefined;
  if (typeof given === 'string' && CODE.test(given)) return given;
  throw new BadRequestException(`${HEADER} must be ${CODE_FORM}`);
});

/** The route takes the code of a second factor. */
export const TakesSecondFactor = () =>
  applyDecorators(
    ApiHeader({
      name: HEADER,
      required: false,
      description: `For users with a second factor: ${CODE_FORM}`,
      schema: { type: 'string', pattern: CODE.source },
    }),
  );
