import { randomUUID } from 'node:crypto';
import { type Answer, type ReceivedRequest, Refusal } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import { envelope } from './envelope.ts';
import { type FalconPlatform, TOKEN_PATH, TOKEN_SECONDS } from './falcon-platform.ts';

/** Signing in and out. No answer names a region: one client would leave for its public address. */
export function tokenRoutes(platform: FalconPlatform): Route[] {
  return [
    {
      method: 'POST',
      path: TOKEN_PATH,
      vendor: platform,
      answer(asked): Answer {
        const { id, secret } = credentialsOf(asked);
        const token = platform.signIn(id, secret, asked.address);
        return {
          status: 201,
          headers: { 'X-Cs-Traceid': randomUUID() },
          body: { access_token: token, token_type: 'bearer', expires_in: TOKEN_SECONDS },
        };
      },
    },
    {
      method: 'POST',
      path: '/oauth2/revoke',
      vendor: platform,
      answer(asked): Answer {
        const { id, secret } = credentialsOf(asked);
        if (!platform.isClient(id, secret)) throw new Refusal(403, 'access denied, authorization failed');
        platform.revoke(formOf(asked).get('token') ?? '');
        return envelope(200, {});
      },
    },
  ];
}

/** From the form, or from HTTP Basic. */
function credentialsOf(asked: ReceivedRequest): { id: string; secret: string } {
  const form = formOf(asked);
  const id = form.get('client_id');
  if (id !== null) return { id, secret: form.get('client_secret') ?? '' };
  const encoded = /^Basic (.+)$/i.exec(asked.headers.authorization ?? '')?.[1] ?? '';
  const [name = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  return { id: name, secret: rest.join(':') };
}

const formOf = ({ body }: ReceivedRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();
