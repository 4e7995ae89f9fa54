import { ValidationPipe } from '@nestjs/common';
import { badInput } from './bad-input.ts';

/** Validates DTOs: rejects unknown fields, converts plain values to the types of the class, reports one message. */
export const validationPipe = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  exceptionFactory: badInput,
});
