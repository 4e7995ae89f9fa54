import type { Api } from '../api/client.ts';
import { useSettings } from './use-settings.ts';

/** The SLA in force; null if there is none; undefined until it is read, and for users who cannot read settings. */
export const useSla = (): Api['SettingsDto']['sla'] | undefined => useSettings()?.sla;
