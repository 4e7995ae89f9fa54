import { Injectable } from '@nestjs/common';
import { NextLook } from '../next-look.ts';
import { CHANNELS, type NotificationChannel } from './notification.ts';

/** When this gateway has to look for messages of notifications to send on each channel. */
@Injectable()
export class NextMessageLook {
  private readonly looks = new Map(CHANNELS.map((channel) => [channel, new NextLook()]));

  on(channel: NotificationChannel): NextLook {
    return this.looks.get(channel)!;
  }

  /** To be called after this gateway has changed what is due. */
  wake(): void {
    for (const look of this.looks.values()) look.wake();
  }
}
