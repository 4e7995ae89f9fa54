import { type FactoryProvider, Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Config } from '#libs/config';
import { type Egress, openEgress } from '#libs/egress';
import type { SettingsSource } from '../organization/settings-source.ts';
import { CONFIG, EGRESS, SETTINGS } from '../tokens.ts';

/** Outbound connections, restricted by the current value of the setting `egressAllow` (R-NET-1). */
export const egressProvider: FactoryProvider<Egress> = {
  provide: EGRESS,
  inject: [CONFIG, SETTINGS],
  useFactory: ({ egressProxy: proxy }: Config, settings: SettingsSource) =>
    openEgress({ ...(proxy !== undefined && { proxy }), allow: () => settings().egressAllow }),
};

/** Ends kept connections with the program. */
@Injectable()
export class EgressCloser implements OnModuleDestroy {
  constructor(@Inject(EGRESS) private readonly egress: Egress) {}

  onModuleDestroy(): Promise<void> {
    return this.egress.close();
  }
}
