import type { Api } from '../api/client.ts';
import { useMe } from '../session/use-me.ts';

/** What the SLA in force asks of acts on findings; null if there is none; undefined until it is read. */
export const useSla = (): Api['MeDto']['sla'] | undefined => useMe().data?.sla;
