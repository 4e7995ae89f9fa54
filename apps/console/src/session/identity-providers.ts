import { useQuery } from '@tanstack/react-query';
import { type Api, anonymous } from '../api/client.ts';

export type IdentityProvider = Api['SignInOptionDto'];

/** Identity providers of the service; none while they are not known. */
export function useIdentityProviders(): readonly IdentityProvider[] {
  const query = useQuery({
    queryKey: ['identity-providers'],
    queryFn: async () => (await anonymous.GET('/api/v3/sign-in')).data?.items ?? [],
    meta: { live: false },
  });
  return query.data ?? [];
}

/** The page of a provider on which its user signs out there; null: it has none, or does not answer. */
export function useProviderSignOut(provider: string | null): string | null {
  const query = useQuery({
    queryKey: ['provider-sign-out', provider],
    queryFn: async () => {
      const params = { path: { provider: provider! } };
      return (await anonymous.GET('/api/v3/sign-in/{provider}/logout', { params })).data?.url ?? null;
    },
    enabled: provider !== null,
    meta: { live: false },
  });
  return query.data ?? null;
}
