import { type Api, api } from '../api/client.ts';
import { useMay } from '../session/session.ts';

/** The settings; undefined until they are read, and for users who cannot read settings. */
export function useSettings(): Api['SettingsDto'] | undefined {
  const mayRead = useMay('settings:read');
  return api.useQuery('get', '/api/v3/settings', {}, { enabled: mayRead }).data;
}
