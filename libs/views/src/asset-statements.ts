import { type Asset, isoTime, type Statement, shownAttributes, trustOf } from '#libs/domain';

/** What each source said of an asset, and of which attributes the asset shows its values. */
export const assetStatements = (asset: Asset) =>
  shownAttributes(asset).map(({ statement, shown }) => ({
    source: statement.source,
    deviceId: statement.deviceId,
    isEarlier: statement.isEarlier ?? false,
    since: isoTime(statement.since),
    trust: placeOf(statement, asset),
    values: valuesOf(statement),
    shown: shown.flatMap((attribute) => (attribute === 'typing' ? ['type', 'attackSurface'] : [attribute])),
  }));

const placeOf = ({ source }: Statement, { trustedSources = [] }: Asset): number | null => {
  const place = trustOf(source, trustedSources);
  return place === null ? null : place + 1;
};

function valuesOf(statement: Statement) {
  const {
    source: _s,
    deviceId: _d,
    isEarlier: _e,
    since: _t,
    isTypeGiven: _g,
    typing,
    ...values
  } = statement;
  return { ...values, ...(typing && { type: typing.type, attackSurface: typing.attackSurface }) };
}
