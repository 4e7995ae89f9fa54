import { buildMessage, isFQDN, ValidateBy, type ValidationOptions } from 'class-validator';
import ipaddr from 'ipaddr.js';

const isHost = (text: string) => isFQDN(text, { require_tld: false, allow_underscores: true });

/** An IP address, a network in CIDR notation, or a host name. */
const isNetwork = (value: unknown): boolean =>
  typeof value === 'string' && (ipaddr.isValid(value) || ipaddr.isValidCIDR(value) || isHost(value));

export const IsNetwork = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isNetwork',
      validator: {
        validate: isNetwork,
        defaultMessage: buildMessage(
          (each) => `${each}$property must be an IP address, a network such as 10.0.0.0/8, or a host name`,
          options,
        ),
      },
    },
    options,
  );
