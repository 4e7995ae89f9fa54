import { storableText } from '#libs/contracts';

export interface BasicCredentials {
  username: string;
  password: string;
}

const USERNAME_CHARACTERS_MAX = 128;
const PASSWORD_CHARACTERS_MAX = 256;

/**
 * Reads `Authorization: Basic <base64 of username:password>`: UTF-8, split at the first colon, the scheme in any case
 * (RFC 7617). Null if it is malformed, or longer than any credential of the service, or contains a character that no
 * credential has and no row can store.
 */
export function basicCredentials(header: string | undefined): BasicCredentials | null {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header ?? '')?.[1];
  if (!encoded) return null;
  return splitCredentials(Buffer.from(encoded, 'base64').toString('utf8'));
}

/** `username:password`, split at the first colon; null as `basicCredentials`. */
export function splitCredentials(text: string): BasicCredentials | null {
  const colon = text.indexOf(':');
  if (colon < 1 || colon > USERNAME_CHARACTERS_MAX || storableText(text) !== text) return null;
  const [username, password] = [text.slice(0, colon), text.slice(colon + 1)];
  return password.length > PASSWORD_CHARACTERS_MAX ? null : { username, password };
}
