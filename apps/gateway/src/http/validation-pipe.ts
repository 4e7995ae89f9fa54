import { ValidationPipe, type ValidationPipeOptions } from '@nestjs/common';
import { badInput } from './bad-input.ts';

/** Rejects unknown fields, converts plain values to the types of the class. */
export const VALIDATION: ValidationPipeOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
};

/** Validates DTOs; reports one message. */
export const validationPipe = new ValidationPipe({
  ...VALIDATION,
  exceptionFactory: (errors) => badInput(errors),
});
