import { ValidateIf } from 'class-validator';

/** The field may be absent; null is not the same. class-validator's own `IsOptional` takes both. */
export const MayBeLeftOut = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The field may be absent or null, as its schema says. */
export const MayBeNull = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);
