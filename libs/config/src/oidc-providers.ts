import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { ConfigError } from './config-error.ts';
import { readSecretFile } from './secret-file.ts';

const VARIABLE = 'OIDC_PROVIDERS';
const PROVIDERS_MAX = 10;
const GROUPS_MAX = 500;
const GRANTS_MAX = 30;
const NAMES_MAX = 50;
const NAMES_MAX_IN_ALL = 200;
const NAME_CHARACTERS_MAX = 200;
/** In place of the names of departments or locations. */
export const ALL_NAMES = '*';
/** A role, or a scope: only scopes contain a colon. */
const GRANT = /^[a-z][a-z0-9-]{0,39}(:[a-z]{1,20})?$/;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const SECONDS = { message: '$property must be an integer from 5 to 86400' };

const GROUP_SOURCES = ['claims', 'scim'] as const;

const NAMES = {
  message: `$property must have 1 to ${GROUPS_MAX} groups, each with a list of 1 to ${NAMES_MAX} names, or ["*"] for all; at most ${NAMES_MAX_IN_ALL} different names`,
};

/** An identity provider that users sign in with. */
export class OidcProvider {
  /** Part of user names and of addresses: it never changes. */
  @Matches(/^(?!token$)[a-z][a-z0-9-]{0,29}$/, {
    message:
      '$property must be 1 to 30 small letters, digits and hyphens, beginning with a letter, and not "token"',
  })
  id!: string;

  /** On the button of the sign-in page. */
  @Matches(/^\P{C}{1,60}$/u, {
    message: '$property must have 1 to 60 characters, none of them a control character',
  })
  label!: string;

  @ValidateBy(
    { name: 'isIssuer', validator: { validate: isIssuer } },
    { message: '$property must be an https URL without query and fragment (http only on this machine)' },
  )
  issuer!: string;

  @Length(1, 200, { message: '$property must have 1 to 200 characters' })
  clientId!: string;

  @Length(1, 2_048, { message: '$property must have 1 to 2048 characters' })
  clientSecret!: string;

  /** Requested from the provider. */
  @Matches(/^openid( [\x21\x23-\x5b\x5d-\x7e]{1,200}){0,20}$/, {
    message: '$property must be scopes with spaces between, of which the first is openid',
  })
  scope = 'openid profile email';

  /** Claim with the name of the user; `sub` if it is missing. */
  @Length(1, 200, { message: '$property must have 1 to 200 characters' })
  nameClaim = 'preferred_username';

  /** Claim with the groups of the user; dots lead into objects. */
  @Length(1, 200, { message: '$property must have 1 to 200 characters' })
  groupsClaim = 'groups';

  /** `scim`: the groups that the provider provisions give the rights, and the claim is ignored. */
  @IsIn(GROUP_SOURCES, { message: `$property must be one of ${GROUP_SOURCES.join(', ')}` })
  groupsFrom: (typeof GROUP_SOURCES)[number] = 'claims';

  /** Claim that is the `externalId` of a provisioned user. */
  @Length(1, 200, { message: '$property must have 1 to 200 characters' })
  externalIdClaim = 'sub';

  /** Roles and scopes by group. */
  @IsObject({ message: '$property must be an object of groups, each with a list of roles and scopes' })
  @ValidateBy(
    { name: 'areGrants', validator: { validate: areGrants } },
    {
      message: `$property must have 1 to ${GROUPS_MAX} groups, each with a list of 1 to ${GRANTS_MAX} roles and scopes`,
    },
  )
  grants!: Record<string, string[]>;

  /** Departments by group, to which users are limited; unset: they are not limited by department. */
  @IsOptional()
  @ValidateBy({ name: 'areNames', validator: { validate: areNames } }, NAMES)
  departments?: Record<string, string[]>;

  /** As `departments`. */
  @IsOptional()
  @ValidateBy({ name: 'areNames', validator: { validate: areNames } }, NAMES)
  locations?: Record<string, string[]>;

  /** Audiences that an ID token may have besides the client. */
  @IsArray({ message: '$property must be a list of texts' })
  @ArrayMaxSize(20, { message: '$property must have at most 20 items' })
  @IsString({ each: true, message: '$property must be a list of texts' })
  audiences: string[] = [];

  /** How often the groups of a signed-in user are checked. */
  @IsInt(SECONDS)
  @Min(5, SECONDS)
  @Max(86_400, SECONDS)
  checkSeconds = 300;
}

class GivenProvider extends OidcProvider {
  @IsOptional()
  @Length(1, 4_096, { message: '$property must be a path' })
  clientSecretFile?: string;
}

function isIssuer(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,2000}$/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username } = new URL(value);
  const isSecure = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  return isSecure && search === '' && hash === '' && username === '';
}

function areGrants(value: unknown): boolean {
  return areLists(value, GRANTS_MAX, (one) => GRANT.test(one));
}

function areNames(value: unknown): boolean {
  const isName = (one: string) => one.length > 0 && one.length <= NAME_CHARACTERS_MAX && !one.includes('\0');
  if (!areLists(value, NAMES_MAX, isName)) return false;
  return new Set(Object.values(value as Record<string, string[]>).flat()).size <= NAMES_MAX_IN_ALL;
}

function areLists(value: unknown, itemsMax: number, isItem: (item: string) => boolean): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const lists: unknown[] = Object.values(value);
  const isList = (list: unknown): boolean =>
    Array.isArray(list) &&
    list.length > 0 &&
    list.length <= itemsMax &&
    list.every((one) => typeof one === 'string' && isItem(one));
  return lists.length > 0 && lists.length <= GROUPS_MAX && lists.every(isList);
}

/**
 * The identity providers of `OIDC_PROVIDERS`, a list in JSON; none if it is unset.
 * @throws ConfigError with the path of each invalid value, and never with a secret
 */
export function readOidcProviders(text: string | undefined): OidcProvider[] {
  if (text === undefined) return [];
  const list = parsed(text);
  if (!Array.isArray(list) || list.length === 0 || list.length > PROVIDERS_MAX) {
    throw new ConfigError(`${VARIABLE} must be a JSON list of 1 to ${PROVIDERS_MAX} identity providers`);
  }
  const providers = list.map(readProvider);
  const ids = providers.map(({ id }) => id);
  const repeated = ids.find((id, i) => ids.indexOf(id) !== i);
  if (repeated) throw new ConfigError(`${VARIABLE} has two providers with the id ${repeated}`);
  return providers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(`${VARIABLE} must be JSON`);
  }
}

function readProvider(given: unknown, index: number): OidcProvider {
  const path = `${VARIABLE}[${index}]`;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ConfigError(`${path} must be an object`);
  }
  const { clientSecretFile, ...provider } = plainToInstance(GivenProvider, given, {
    exposeDefaultValues: true,
  });
  if (clientSecretFile !== undefined) {
    if (provider.clientSecret !== undefined) {
      throw new ConfigError(`${path} has both clientSecret and clientSecretFile: set one`);
    }
    provider.clientSecret = readSecretFile(`${path}.clientSecret`, String(clientSecretFile));
  }
  if (provider.clientSecret === undefined) {
    throw new ConfigError(`${path} must have clientSecret or clientSecretFile`);
  }
  const problems = oidcProviderProblems(provider);
  if (problems.length > 0) {
    throw new ConfigError(problems.map((problem) => `${path}.${problem}`).join('; '));
  }
  return provider;
}

/** What is wrong with an identity provider: a sentence for each property, which begins with its name. */
export function oidcProviderProblems(provider: object): string[] {
  const errors = validateSync(Object.assign(new OidcProvider(), provider), {
    whitelist: true,
    forbidNonWhitelisted: true,
  });
  return errors.map(
    ({ property, constraints = {} }) =>
      Object.values(constraints).find((message) => message.startsWith(`${property} must`)) ??
      `${property} is unknown`,
  );
}
