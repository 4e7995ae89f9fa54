import { type ArgumentMetadata, Injectable, ParseUUIDPipe } from '@nestjs/common';

/** A UUID in a path, in lower case: ids are compared as texts. */
@Injectable()
export class UuidPipe extends ParseUUIDPipe {
  override async transform(id: string, metadata: ArgumentMetadata): Promise<string> {
    await super.transform(id, metadata);
    return id.toLowerCase();
  }
}
