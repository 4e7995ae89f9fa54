import { Module } from '@nestjs/common';
import { BodyInterceptor } from './body.interceptor.ts';

@Module({ providers: [BodyInterceptor] })
export class HttpModule {}
