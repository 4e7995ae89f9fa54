import {
  createRemoteJWKSet,
  type JWTPayload,
  type JWTVerifyGetKey,
  customFetch as joseFetch,
  jwtVerify,
} from 'jose';
import * as client from 'openid-client';
import type { Clock, OidcProvider } from '#libs/config';
import type { egressFetch } from './egress-fetch.ts';
import { discoveryFailureOf, isTemporary, OidcFailure, oidcFailureOf, otherIssuer } from './oidc-failure.ts';
import { type Claims, hasGroups, type ProviderUser, userOf } from './user-claims.ts';

const DISCOVERY_MS = 3_600_000;
const DISCOVERY_FAILED_MS = 5_000;
const CLOCK_TOLERANCE_SECONDS = 30;
/** A token with an unknown key has the keys read again, once in that time. */
const KEYS_COOLDOWN_MS = 5_000;
/** No symmetric ones, and never `none`. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LOGOUT_TYPES = new Set(['logout+jwt', 'jwt']);
const TEXT_MAX = 255;

/** Proof of a sign-in that was started here. */
export interface Proof {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Parameters that a provider adds to the redirect URI. */
export type CallbackParameters = Record<string, string>;

/** A sign-in or a check at a provider. */
export interface ProviderAnswer {
  user: ProviderUser;
  /** The claim `sid`. */
  sid: string | null;
  refreshToken: string | null;
}

/** What a logout token ends: a session of the provider, or all sessions of a user that began before. */
export interface Logout {
  sid: string | null;
  subject: string | null;
  /** Epoch milliseconds. */
  issuedAt: number;
}

interface Discovered {
  configuration: client.Configuration;
  keys: JWTVerifyGetKey;
}

/** One identity provider. Each method throws OidcFailure if the provider or what it sent is not good. */
export class OidcClient {
  readonly redirectUri: string;
  private discovered: { result: Promise<Discovered>; until: number } | undefined;

  constructor(
    readonly provider: OidcProvider,
    private readonly origin: string,
    private readonly fetch: ReturnType<typeof egressFetch>,
    private readonly now: Clock,
  ) {
    this.redirectUri = `${origin}/app/sign-in/${provider.id}`;
  }

  async authorizationUrl({ state, nonce, codeVerifier }: Proof): Promise<string> {
    const { configuration } = await this.discover();
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: this.provider.scope,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /** Exchanges the code, and verifies state, nonce and ID token. */
  signIn(parameters: CallbackParameters, { state, nonce, codeVerifier }: Proof): Promise<ProviderAnswer> {
    return this.refusing(async (discovered) => {
      const url = new URL(this.redirectUri);
      url.search = new URLSearchParams(parameters).toString();
      const tokens = await client.authorizationCodeGrant(discovered.configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      return this.answerOf(discovered, tokens, null);
    });
  }

  /**
   * The user as of now.
   * @param subject who signed in
   * @param keep stores the next refresh token, before anything else can fail: the former one may be used up
   */
  check(
    refreshToken: string,
    subject: string,
    keep: (refreshToken: string) => Promise<void>,
  ): Promise<ProviderAnswer> {
    return this.refusing(async (discovered) => {
      const tokens = await client.refreshTokenGrant(discovered.configuration, refreshToken);
      await keep(tokens.refresh_token ?? refreshToken);
      return this.answerOf(discovered, tokens, subject);
    });
  }

  /**
   * Where the user signs out of the provider too (OpenID Connect RP-Initiated Logout 1.0); null: the provider has no such
   * page. Without the ID token the provider asks the user to confirm it.
   */
  async logoutUrl(): Promise<string | null> {
    const { configuration } = await this.discover();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${this.origin}/app/` }).href;
  }

  /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). */
  logout(token: string): Promise<Logout> {
    return this.refusing(async (discovered) => {
      const { payload, protectedHeader } = await this.verified(discovered, token, [
        'iat',
        'exp',
        'jti',
        'events',
      ]);
      const { events, nonce, sid, sub, iat } = payload;
      const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
      if (!isLogout || !LOGOUT_TYPES.has((protectedHeader.typ ?? 'JWT').toLowerCase())) {
        throw new OidcFailure('tokenClaims', 'the token is not a logout token');
      }
      if (nonce !== undefined) throw new OidcFailure('tokenNonce', 'a logout token must not have a nonce');
      const named = { sid: textOrNull(sid), subject: textOrNull(sub) };
      if (named.sid === null && named.subject === null) {
        throw new OidcFailure('tokenClaims', 'the logout token names neither a session nor a user');
      }
      return { ...named, issuedAt: iat! * 1000 };
    });
  }

  private async answerOf(
    discovered: Discovered,
    tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
    subject: string | null,
  ): Promise<ProviderAnswer> {
    const idToken =
      tokens.id_token === undefined ? null : (await this.verified(discovered, tokens.id_token, [])).payload;
    const known = subject ?? idToken?.sub;
    if (known === undefined || (idToken !== null && idToken.sub !== known)) {
      throw new OidcFailure('tokenClaims', 'the ID token is of another user');
    }
    const claims = await this.claimsOf(discovered, tokens.access_token, known, idToken ?? {});
    const user = userOf({ ...claims, sub: known }, this.provider);
    if (!user) throw new OidcFailure('tokenClaims', 'the ID token has no usable sub');
    return { user, sid: textOrNull(idToken?.sid), refreshToken: tokens.refresh_token ?? null };
  }

  /** Some providers put groups only into the response of their userinfo endpoint. */
  private async claimsOf(
    { configuration }: Discovered,
    accessToken: string,
    subject: string,
    idToken: JWTPayload,
  ): Promise<Claims> {
    const hasEndpoint = configuration.serverMetadata().userinfo_endpoint !== undefined;
    if (hasGroups(idToken, this.provider) || !hasEndpoint) return idToken;
    return { ...(await client.fetchUserInfo(configuration, accessToken, subject)), ...idToken };
  }

  /**
   * The signature too, which OpenID Connect leaves open for ID tokens that arrive by TLS: one set of keys for them and for
   * logout tokens, read again as soon as an unknown key appears.
   */
  private async verified({ configuration, keys }: Discovered, token: string, requiredClaims: string[]) {
    const { issuer } = configuration.serverMetadata();
    const { clientId, audiences } = this.provider;
    const verified = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(this.now()),
      requiredClaims: ['iat', 'exp', ...requiredClaims],
    });
    const foreign = [verified.payload.aud!]
      .flat()
      .find((one) => one !== clientId && !audiences.includes(one));
    if (foreign !== undefined)
      throw new OidcFailure('tokenAudience', 'the token is also for another audience');
    return verified;
  }

  private async refusing<T>(work: (discovered: Discovered) => Promise<T>): Promise<T> {
    const discovered = await this.discover();
    try {
      return await work(discovered);
    } catch (error) {
      throw oidcFailureOf(error);
    }
  }

  /** What the provider states of itself, which is asked for once an hour. */
  discover(): Promise<Discovered> {
    if (this.discovered && this.discovered.until > this.now()) return this.discovered.result;
    const result = this.discovery();
    const entry = { result, until: this.now() + DISCOVERY_MS };
    this.discovered = entry;
    result.catch(() => {
      entry.until = Math.min(entry.until, this.now() + DISCOVERY_FAILED_MS);
    });
    return result;
  }

  /** The library does not say which status it refuses. */
  private async fetchKeys(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await (this.fetch as typeof fetch)(...request);
    if (!isTemporary(response.status)) return response;
    throw new OidcFailure('providerUnavailable', `the keys of the provider answered ${response.status}`);
  }

  private async discovery(): Promise<Discovered> {
    const { issuer, clientId, clientSecret } = this.provider;
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    try {
      const found = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
        execute,
        [client.customFetch]: this.fetch as client.CustomFetch,
      });
      const server = found.serverMetadata();
      // The library lets the issuers of several tenants pass, which no ID token has.
      if (new URL(server.issuer).href !== new URL(issuer).href)
        throw new OidcFailure('providerUnavailable', otherIssuer(issuer, server.issuer));
      if (server.jwks_uri === undefined)
        throw new OidcFailure('providerUnavailable', 'the provider names no keys');
      const metadata = { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
      const configuration = new client.Configuration(
        server,
        clientId,
        metadata,
        authenticationOf(server, clientSecret),
      );
      configuration[client.customFetch] = this.fetch as client.CustomFetch;
      for (const apply of execute) apply(configuration);
      const keys = createRemoteJWKSet(new URL(server.jwks_uri), {
        cooldownDuration: KEYS_COOLDOWN_MS,
        [joseFetch]: (url, options) => this.fetchKeys(url, options),
      });
      return { configuration, keys };
    } catch (error) {
      if (error instanceof OidcFailure) throw error;
      throw discoveryFailureOf(issuer, error);
    }
  }
}

/** OpenID Connect Discovery: a server that lists no methods takes HTTP Basic. */
const authenticationOf = (
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: client.ServerMetadata,
  secret: string,
): client.ClientAuth =>
  methods.includes('client_secret_basic')
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret);

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_MAX && !value.includes('\0')
    ? value
    : null;
