import { type FactoryProvider, Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Config } from '#libs/config';
import { type Egress, openEgress } from '#libs/egress';
import type { SettingsSource } from '../signals/settings-source.ts';
import { EGRESS, SETTINGS } from '../tokens.ts';

/** The way out (D32), guarded by the setting `egressAllow` as it is at the moment (D27). */
export const egressProvider = ({ egressProxy: proxy }: Config): FactoryProvider<Egress> => ({
  provide: EGRESS,
  inject: [SETTINGS],
  useFactory: (settings: SettingsSource) =>
    openEgress({ ...(proxy !== undefined && { proxy }), allow: () => settings().egressAllow }),
});

/** Ends kept connections with the program. */
@Injectable()
export class EgressCloser implements OnModuleDestroy {
  constructor(@Inject(EGRESS) private readonly egress: Egress) {}

  onModuleDestroy(): Promise<void> {
    return this.egress.close();
  }
}
