import { entityKey, type Settings, type Signal } from '#libs/domain';
import { mayGetFqdn, type NamedAsset } from '../opened-assets.ts';

/** Hosts that a pull remembers, some 200 MB of them. */
const HOSTS_MAX = 1_000_000;

/** The hosts that a complete pull of an EDR inventory has described. */
export class ListedHosts {
  private readonly names = new Set<string>();
  private readonly keys = new Set<string>();

  /** There were more hosts than it remembers: a missing one may have been listed. */
  get isCut(): boolean {
    return this.names.size >= HOSTS_MAX;
  }

  get isEmpty(): boolean {
    return this.names.size === 0;
  }

  add({ entityOnly, entity }: Signal): void {
    if (entityOnly !== true || this.isCut) return;
    this.names.add(entity.name.toLowerCase());
    this.keys.add(entityKey('machine', entity.name));
  }

  /** Whether the pull has described an entity with this key. */
  hasKey(key: string): boolean {
    return this.keys.has(key);
  }

  /**
   * Whether the pull has described the asset. Its latest names may not be folded yet: it may have got the FQDN of a host
   * with the same key.
   */
  has(named: NamedAsset, matching: Settings['assetMatching']): boolean {
    if ((matching === 'name' || mayGetFqdn(named)) && this.hasKey(named.key)) return true;
    const { name, fqdn, aliases } = named.asset;
    return [name, ...(fqdn === null ? [] : [fqdn]), ...aliases].some((called) =>
      this.names.has(called.toLowerCase()),
    );
  }
}
