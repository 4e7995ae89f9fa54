import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, MaxLength, ValidateBy } from 'class-validator';

const URL_CHARACTERS_MAX = 2_000;

/** Null if it is no address of http, https or a mail server, or contains user name, password or fragment. */
export function readReceiverUrl(text: string): string | null {
  if (!/^(https?|smtps?):\/\/[^\s#\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username || url.password ? null : url.href;
}

/** As it is sent; an invalid value is unchanged, and the check rejects it. */
const normalised = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? (readReceiverUrl(value.trim()) ?? value) : value;

/** The address of the receiver, or of the system that tickets are kept in. */
export const IsReceiverUrl = () =>
  applyDecorators(
    ApiProperty({
      format: 'uri',
      maxLength: URL_CHARACTERS_MAX,
      example: 'https://receiver.example/posture',
      description:
        'URL that starts with `http://` or `https://`, or of a mail server with `smtp://` or `smtps://`, without user name and fragment. It must be a public address unless the setting `egressAllow` contains it. The audit trail shows only scheme, host and port',
    }),
    Transform(normalised),
    IsString(),
    MaxLength(URL_CHARACTERS_MAX),
    ValidateBy(
      {
        name: 'isReceiverUrl',
        validator: { validate: (value) => typeof value === 'string' && readReceiverUrl(value) !== null },
      },
      {
        message:
          '$property must be a URL that starts with http:// or https://, without user name and fragment',
      },
    ),
  );

/** Scheme, host and port; `origin` of a mail server's address is null. */
export function shownUrl(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
