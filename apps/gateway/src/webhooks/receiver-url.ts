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

/** A mail server without a path. @param url of `smtp:` or `smtps:`, or another one */
export function isMailServer(url: string): boolean {
  const { protocol, hostname, pathname, search } = new URL(url);
  return /^smtps?:$/.test(protocol) && hostname !== '' && ['', '/'].includes(pathname) && search === '';
}

export const WEB_EXPECTED = 'a URL that starts with http:// or https://, without user name and fragment';
export const MAIL_SERVER_EXPECTED =
  'the address of a mail server, such as smtp://mail.example.com:587 or smtps://mail.example.com';

const RECEIVERS = {
  web: {
    isOne: (url: string) => /^https?:/i.test(url),
    expected: WEB_EXPECTED,
    description: 'URL that starts with `http://` or `https://`, without user name and fragment',
    example: 'https://receiver.example/posture',
  },
  mailServer: {
    isOne: isMailServer,
    expected: MAIL_SERVER_EXPECTED,
    description: 'URL of a mail server: `smtp://` or `smtps://`, without user name, path and fragment',
    example: 'smtp://mail.example.com:587',
  },
  /** The kind of the webhook decides. */
  any: {
    isOne: () => true,
    expected: `${WEB_EXPECTED}, or ${MAIL_SERVER_EXPECTED}`,
    description:
      'URL that starts with `http://` or `https://`, or of a mail server with `smtp://` or `smtps://`, without user name and fragment',
    example: 'https://receiver.example/posture',
  },
};

/** The address of the receiver, or of the system that tickets are kept in. */
export function IsReceiverUrl(receiver: keyof typeof RECEIVERS) {
  const { isOne, expected, description, example } = RECEIVERS[receiver];
  return applyDecorators(
    ApiProperty({
      format: 'uri',
      maxLength: URL_CHARACTERS_MAX,
      example,
      description: `${description}. It must be a public address unless the setting \`egressAllow\` contains it. The audit trail shows only scheme, host and port`,
    }),
    Transform(normalised),
    IsString(),
    MaxLength(URL_CHARACTERS_MAX),
    ValidateBy(
      {
        name: 'isReceiverUrl',
        validator: {
          validate: (value) => typeof value === 'string' && readReceiverUrl(value) !== null && isOne(value),
        },
      },
      { message: `$property must be ${expected}` },
    ),
  );
}

/** Scheme, host and port; `origin` of a mail server's address is null. */
export function shownUrl(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
