import { Controller, Get, Inject, ServiceUnavailableException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { HealthDto, LivenessDto } from './health.dto.ts';
import { checkAll, READINESS, type Readiness } from './readiness.ts';

/** What an orchestrator asks of every process. */
@ApiTags('health')
@Controller('health')
export class HealthController {
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
  @ApiServiceUnavailableResponse({
    description: '`dependencies` names what is down; `message` says why, where that is known',
  })
  async ready(): Promise<HealthDto> {
    const { dependencies, reasons } = await checkAll(this.readiness);
    const missing = this.readiness.needed.filter((name) => dependencies[name] === 'down');
    if (missing.length > 0) {
      throw new ServiceUnavailableException({
        message: `not ready: ${missing.map((name) => `${name} down${because(reasons[name])}`).join(', ')}`,
        dependencies,
      });
    }
    return { status: 'ready', dependencies };
  }
}

const because = (reason: string | undefined): string => (reason === undefined ? '' : ` (${reason})`);
