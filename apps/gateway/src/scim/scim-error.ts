import { HttpException } from '@nestjs/common';
import SCIMMY from 'scimmy';

export type ScimType =
  | 'uniqueness'
  | 'invalidFilter'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** An error with the keyword of RFC 7644, 3.12. */
export class ScimError extends HttpException {
  constructor(status: number, message: string, scimType?: ScimType) {
    super({ message, ...(scimType && { scimType }) }, status);
  }
}

/** Runs a step of the library, whose errors are those of what the client sent. @throws ScimError */
export function reading<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw scimErrorOf(error);
  }
}

/** As `reading`; other errors stay as they are. */
export function scimErrorOf(error: unknown): unknown {
  if (error instanceof SCIMMY.Types.Error) {
    return new ScimError(Number(error.status), error.message, (error.scimType ?? undefined) as ScimType);
  }
  return error instanceof TypeError ? new ScimError(400, error.message, 'invalidValue') : error;
}

export const noProvider = () =>
  new ScimError(404, 'no identity provider has this id: see GET /api/v3/sign-in');
