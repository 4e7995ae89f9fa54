import { BlockList, isIP } from 'node:net';
import { type LabelSelector, type Manifest, ofKind, selects } from './manifests.ts';

/** Who may send or be sent to: a pod of some namespace, or an address outside of the cluster. */
export type Party =
  | {
      name: string;
      namespace: string;
      namespaceLabels: Record<string, string>;
      labels: Record<string, string>;
    }
  | { name: string; address: string };

interface Peer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: { cidr: string; except?: string[] };
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { protocol: string; port: number }[];
}

/**
 * Whether the network policies let a connection through, as the API of Kubernetes defines it: a pod that a policy of a
 * direction selects may do in it what some policy says, any other pod may do all. Addresses represent targets outside.
 */
export function mayReach(manifests: Manifest[], from: Party, to: Party, port: number): boolean {
  const policies = ofKind(manifests, 'NetworkPolicy');
  const allows = (direction: 'Ingress' | 'Egress', subject: Party, other: Party): boolean => {
    const selecting = policies.filter(
      ({ spec, metadata }) =>
        'labels' in subject &&
        subject.namespace === metadata.namespace &&
        spec.policyTypes.includes(direction) &&
        selects(spec.podSelector, subject.labels),
    );
    if (selecting.length === 0) return true;
    return selecting.some(({ spec, metadata }) => {
      const rules: Rule[] = (direction === 'Ingress' ? spec.ingress : spec.egress) ?? [];
      return rules.some((rule) => {
        const peers = direction === 'Ingress' ? rule.from : rule.to;
        const isPort = !rule.ports || rule.ports.some((each) => each.port === port);
        return isPort && (!peers || peers.some((peer) => isPeer(peer, other, metadata.namespace!)));
      });
    });
  };
  return allows('Egress', from, to) && allows('Ingress', to, from);
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, party: Party, namespace: string): boolean {
  if (ipBlock) return 'address' in party && isIn(ipBlock, party.address);
  if (!('labels' in party)) return false;
  const isNamespace = namespaceSelector
    ? selects(namespaceSelector, party.namespaceLabels)
    : party.namespace === namespace;
  return isNamespace && (!podSelector || selects(podSelector, party.labels));
}

function isIn({ cidr, except = [] }: NonNullable<Peer['ipBlock']>, address: string): boolean {
  return isBelow(cidr, address) && !except.some((block) => isBelow(block, address));
}

function isBelow(cidr: string, address: string): boolean {
  const [net, prefix] = cidr.split('/') as [string, string];
  if (isIP(net) !== isIP(address)) return false;
  const family = isIP(net) === 6 ? 'ipv6' : 'ipv4';
  const block = new BlockList();
  block.addSubnet(net, Number(prefix), family);
  return block.check(address, family);
}
