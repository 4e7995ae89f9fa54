export { OWNER_RULES_MAX, ownerOf, type RuledAsset, ruledAssetOf } from './owner-rules.ts';
