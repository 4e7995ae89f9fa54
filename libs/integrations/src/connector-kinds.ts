import type { IntegrationSubType } from '#libs/domain';
import { axoniusKind } from './axonius/axonius-kind.ts';
import type { ConnectorKind } from './connector-kind.ts';
import { falconKind } from './falcon/falcon-kind.ts';
import { tenableKind } from './tenable/tenable-kind.ts';

/** Every kind of integration, in the order in which users see them. */
export const CONNECTOR_KINDS: Readonly<Record<IntegrationSubType, ConnectorKind>> = {
  falcon: falconKind,
  axonius: axoniusKind,
  tenable: tenableKind,
};
