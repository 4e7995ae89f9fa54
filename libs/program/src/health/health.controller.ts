import { Controller, Get, Inject, Logger, ServiceUnavailableException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { HealthDto, LivenessDto } from './health.dto.ts';
import { checkAll, type DependencyState, READINESS, type Readiness } from './readiness.ts';

/** What an orchestrator asks of every process. */
@ApiTags('health')
@Controller('health')
export class HealthController {
  private readonly logger = new Logger('Readiness');
  private last: Record<string, DependencyState> = {};

  constructor(@Inject(READINESS) private readonly readiness: Readiness) {}

  @Get('live')
  @ApiOperation({ summary: 'The process answers' })
  @ApiOkResponse({ type: LivenessDto })
  live(): LivenessDto {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'This process can do its own work' })
  @ApiOkResponse({ type: HealthDto })
  @ApiServiceUnavailableResponse({ description: '`dependencies` names what is down' })
  async ready(): Promise<HealthDto> {
    const dependencies = await checkAll(this.readiness, (name, why) => this.tellDown(name, why));
    this.tellUp(dependencies);
    const missing = this.readiness.needed.filter((name) => dependencies[name] === 'down');
    if (missing.length > 0) {
      throw new ServiceUnavailableException({
        message: `not ready: ${missing.join(', ')} down`,
        dependencies,
      });
    }
    return { status: 'ready', dependencies };
  }

  /** Once, until it is up again. */
  private tellDown(name: string, why: string): void {
    if (this.last[name] !== 'down') this.logger.warn(`${name} is down: ${why}`);
  }

  private tellUp(dependencies: Record<string, DependencyState>): void {
    for (const [name, state] of Object.entries(dependencies)) {
      if (state === 'up' && this.last[name] === 'down') this.logger.warn(`${name} is up again`);
    }
    this.last = dependencies;
  }
}
