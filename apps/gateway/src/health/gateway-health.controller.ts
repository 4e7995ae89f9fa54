import { Controller } from '@nestjs/common';
import { HealthController } from '#libs/program';
import { Public } from '../auth/scopes.ts';

/** Needs no token. */
@Public()
@Controller('health')
export class GatewayHealthController extends HealthController {}
