import { UnauthorizedException } from '@nestjs/common';
import { type BasicCredentials, basicCredentials } from './basic-credentials.ts';

/** @throws UnauthorizedException if the header contains no credentials */
export function givenCredentials(header: string | undefined): BasicCredentials {
  const credentials = basicCredentials(header);
  if (credentials) return credentials;
  throw new UnauthorizedException(
    'the credentials are missing: send Authorization: Basic <base64 of username:password>',
  );
}
