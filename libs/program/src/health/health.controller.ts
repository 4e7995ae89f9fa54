import { Controller, Get, Inject, Logger, ServiceUnavailableException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { messageOf } from '#libs/database';
import { HealthDto, LivenessDto } from './health.dto.ts';
import { type CheckedReadiness, checkAll, NotReadyError, READINESS, type Readiness } from './readiness.ts';

/** The health checks of every process, for an orchestrator. */
@ApiTags('health')
@Controller('health')
export class HealthController {
  private readonly logger = new Logger('Readiness');
  private last: CheckedReadiness['dependencies'] = {};

  constructor(@Inject(READINESS) private readonly readiness: Readiness) {}

  @Get('live')
  @ApiOperation({ summary: 'Liveness: the process responds' })
  @ApiOkResponse({ type: LivenessDto })
  live(): LivenessDto {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'Readiness: the process can do its work' })
  @ApiOkResponse({ type: HealthDto })
  @ApiServiceUnavailableResponse({
    description:
      '`dependencies` lists the unavailable dependencies. `message` contains the reason if it is known',
  })
  async ready(): Promise<HealthDto> {
    const { dependencies, failures } = await checkAll(this.readiness);
    this.logChanges(dependencies, failures);
    const missing = this.readiness.needed.filter((name) => dependencies[name] === 'down');
    if (missing.length > 0) {
      throw new ServiceUnavailableException({
        message: `not ready: ${missing.map((name) => `${name} down${because(failures[name])}`).join(', ')}`,
        dependencies,
      });
    }
    return { status: 'ready', dependencies };
  }

  /** One line when something goes down, and one when it is up again. */
  private logChanges(
    dependencies: CheckedReadiness['dependencies'],
    failures: CheckedReadiness['failures'],
  ): void {
    for (const [name, state] of Object.entries(dependencies)) {
      if (state === (this.last[name] ?? 'up')) continue;
      const words = state === 'up' ? 'up again' : `down: ${messageOf(failures[name]!)}`;
      this.logger.warn(`${name} is ${words}`);
    }
    this.last = dependencies;
  }
}

/** The reason that may be read by everybody who asks; empty for another one. */
const because = (failure: Error | undefined): string =>
  failure instanceof NotReadyError ? ` (${failure.message})` : '';
