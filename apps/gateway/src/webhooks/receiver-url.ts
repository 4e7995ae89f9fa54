import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, MaxLength, ValidateBy } from 'class-validator';

const URL_CHARACTERS_MAX = 2_000;

/** Null where it is no address of http or https, or holds user name, password or fragment. */
function readReceiverUrl(text: string): string | null {
  if (!/^https?:\/\/[^\s#\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username || url.password ? null : url.href;
}

/** As it is sent; what is none is left for the check to refuse. */
const normalised = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? (readReceiverUrl(value.trim()) ?? value) : value;

/** Where deliveries go. */
export const IsReceiverUrl = () =>
  applyDecorators(
    ApiProperty({
      format: 'uri',
      maxLength: URL_CHARACTERS_MAX,
      example: 'https://receiver.example/posture',
      description:
        'Begins with `http://` or `https://`, without user name and fragment. It must be a public address unless the setting `egressAllow` names it (D27). The audit trail tells scheme, host and port alone',
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
          '$property must be an address that begins with http:// or https://, without user name and fragment',
      },
    ),
  );
