import { canonicalAddress, isFqdn, type RawEntityAttributes } from '#libs/domain';
import type { FoundAsset } from '../format.ts';
import type { Clipper } from './clip.ts';
import { tagsOf } from './context-of.ts';

const ADDRESSES_MAX = 100;

/** The machine of a signal, with everything that the reports say about it. */
export function entityOf(asset: FoundAsset, clip: Clipper) {
  const attributes = attributesOf(asset, clip);
  return {
    type: 'machine',
    name: clip.unique('assetName', asset.name),
    ...(Object.keys(attributes).length > 0 && { entityAttributes: attributes }),
  };
}

function attributesOf(asset: FoundAsset, clip: Clipper): RawEntityAttributes {
  const addresses = [...new Set((asset.ipAddresses ?? []).map((each) => canonicalAddress(each.trim())))]
    .filter((address) => address !== null)
    .slice(0, ADDRESSES_MAX);
  const macs = (asset.macAddresses ?? []).slice(0, ADDRESSES_MAX).map((mac) => mac.slice(0, 100));
  const tags = tagsOf(
    {
      ...asset.tags,
      ...(asset.os && { os: [asset.os] }),
      ...(asset.hostname && { hostname: [asset.hostname] }),
    },
    clip,
  );
  return {
    ...(addresses.length > 0 && {
      ipAddresses: addresses.map((address) => ({
        name: 'Ip',
        ...(address.includes(':') ? { ipv6: address } : { ipv4: address }),
      })),
    }),
    ...(macs.length > 0 && { networkInterface: [{ macAddress: macs }] }),
    ...(asset.fqdn && isFqdn(asset.fqdn) && { fqdn: asset.fqdn }),
    ...(Object.keys(tags).length > 0 && { tags }),
  };
}
