import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min, ValidateBy } from 'class-validator';
import ipaddr from 'ipaddr.js';
import { parse } from 'pg-connection-string';
import { listOf } from './list-of.ts';

// Messages are what follows "must be"; values come as texts from the environment.

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };

export function IsWholeNumber(min: number, max: number): PropertyDecorator {
  const bounds = { message: `an integer from ${min} to ${max}` };
  return all(
    Type(() => Number),
    IsInt(bounds),
    Min(min, bounds),
    Max(max, bounds),
  );
}

export const IsFlag = (): PropertyDecorator =>
  all(
    Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean({ message: 'true or false' }),
  );

export const IsHttpUrl = () =>
  ValidateBy(
    { name: 'isHttpUrl', validator: { validate: isHttpUrl } },
    { message: 'a URL that starts with http:// or https://' },
  );

/** A URL without query and fragment, because paths are appended to it. Its credentials are sent decoded. */
function isHttpUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s?#]+$/.test(value)) return false;
  try {
    const { username, password } = new URL(value);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

export const IsPostgresUrl = () =>
  ValidateBy(
    { name: 'isPostgresUrl', validator: { validate: isPostgresUrl } },
    {
      message:
        'a URL that starts with postgres:// or postgresql://, with special characters of the password encoded, such as %2F for /',
    },
  );

/** Without its parameters, which name files that are read. */
function isPostgresUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !/^postgres(ql)?:\/\/\S+$/.test(value)) return false;
  try {
    parse(value.split('?', 1)[0]!);
    return true;
  } catch {
    return false;
  }
}

export const IsNetworkList = () =>
  ValidateBy(
    { name: 'isNetworkList', validator: { validate: isNetworkList } },
    { message: 'a comma-separated list of addresses or networks such as 10.0.0.0/8' },
  );

const isNetworkList = (value: unknown): boolean =>
  typeof value === 'string' && listOf(value).every((one) => ipaddr.isValid(one) || ipaddr.isValidCIDR(one));
