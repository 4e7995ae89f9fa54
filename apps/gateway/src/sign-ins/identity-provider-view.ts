import type { OidcProvider } from '#libs/config';
import type { IdentityProviderDto } from './identity-provider.dto.ts';

const AUDIT_CHARACTERS_MAX = 2_000;

type WithoutSecret = Omit<OidcProvider, 'clientSecret'>;

/** @param state `origin` is null if `PUBLIC_URL` is not set */
export const identityProviderView = (
  provider: WithoutSecret,
  {
    origin,
    ...state
  }: { origin: string | null } & Pick<IdentityProviderDto, 'isReadOnly' | 'problem' | 'version'>,
): IdentityProviderDto => ({
  id: provider.id,
  label: provider.label,
  issuer: provider.issuer,
  clientId: provider.clientId,
  redirectUri: `${origin ?? ''}/app/sign-in/${provider.id}`,
  logoutUri: `${origin ?? ''}/api/v3/sign-in/${provider.id}/logout`,
  grants: provider.grants,
  departments: provider.departments ?? null,
  locations: provider.locations ?? null,
  groupsClaim: provider.groupsClaim,
  nameClaim: provider.nameClaim,
  groupsFrom: provider.groupsFrom,
  externalIdClaim: provider.externalIdClaim,
  scope: provider.scope,
  audiences: provider.audiences,
  checkSeconds: provider.checkSeconds,
  ...state,
});

/** What a provider is and gives, for the audit trail. */
export function auditTextOf({
  label,
  issuer,
  settings: { clientId, grants, departments, locations, ...rest },
}: Pick<OidcProvider, 'label' | 'issuer'> & {
  settings: Omit<OidcProvider, 'id' | 'label' | 'issuer' | 'clientSecret'>;
}): string {
  const text = [
    `${label}: ${issuer}, client ${clientId}`,
    `grants ${mappingText(grants)}`,
    ...(departments ? [`departments ${mappingText(departments)}`] : []),
    ...(locations ? [`locations ${mappingText(locations)}`] : []),
    ...Object.entries(rest).map(([name, value]) => `${name} ${value}`),
  ].join('; ');
  return text.length > AUDIT_CHARACTERS_MAX ? `${text.slice(0, AUDIT_CHARACTERS_MAX)}…` : text;
}

const mappingText = (mapping: Record<string, string[]>): string =>
  Object.entries(mapping)
    .map(([group, names]) => `${group}: ${names.join(' ')}`)
    .join(', ');
