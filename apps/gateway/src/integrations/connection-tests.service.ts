import { Inject, Injectable } from '@nestjs/common';
import type { Integration } from '#libs/domain';
import type { Egress } from '#libs/egress';
import { type ConnectionCheck, connectorOf } from '#libs/integrations';
import { Slots } from '../http/slots.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { EGRESS, SETTINGS } from '../tokens.ts';
import type { ConnectionTestDto, TestIntegrationDto, TestSavedIntegrationDto } from './integration.dto.ts';
import { IntegrationsService } from './integrations.service.ts';
import { readChange, readDefinition } from './read-definition.ts';

type Setup = Pick<Integration, 'type' | 'subType' | 'config'>;

/** Test Connection: each check with its own message. */
@Injectable()
export class ConnectionTests {
  /** Each waits for another server. */
  private readonly slots = new Slots({ max: 4, retrySeconds: 10, reason: 'connection_tests' });

  constructor(
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    private readonly integrations: IntegrationsService,
  ) {}

  /** Of a definition that is not saved. @throws BadRequestException, RetryLaterException */
  async testNew(given: TestIntegrationDto): Promise<ConnectionTestDto> {
    const { config, secrets } = readDefinition(given);
    return this.test({ ...given, config }, secrets);
  }

  /**
   * Of a saved integration, with changes that are not.
   * @throws NotFoundException, RetryLaterException, BadRequestException if a secret is missing too
   */
  async testSaved(id: string, { config: changes = {} }: TestSavedIntegrationDto): Promise<ConnectionTestDto> {
    const integration = await this.integrations.find(id);
    const { config, secrets } = readChange(integration, changes);
    const isGiven = Object.keys(secrets).length > 0;
    return this.test(
      { ...integration, config },
      isGiven ? secrets : await this.integrations.secretsOf(integration),
    );
  }

  private test(setup: Setup, secrets: Record<string, string>): Promise<ConnectionTestDto> {
    return this.slots.run(async () => {
      const connector = connectorOf({ ...setup, secrets }, this.egress, {
        settings: this.settings,
        // No check looks up the asset of a device.
        assets: async () => new Map(),
      });
      return testView(await connector.checks());
    });
  }
}

function testView(checks: ConnectionCheck[]): ConnectionTestDto {
  const failed = checks.find(({ ok }) => !ok);
  return { ok: !failed, message: failed?.message ?? 'the connection works', checks };
}
