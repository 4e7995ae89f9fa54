import { Injectable, NotFoundException } from '@nestjs/common';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import type { UploadDto } from './upload.dto.ts';
import { uploadView } from './upload-view.ts';
import { UploadsRepository } from './uploads.repository.ts';

@Injectable()
export class UploadsService {
  constructor(private readonly uploads: UploadsRepository) {}

  async list({ limit, cursor }: PageQuery): Promise<Page<UploadDto>> {
    const keys = decodeKeys(cursor, 'time', 'uuid');
    const before = keys && { receivedAt: keys[0], id: keys[1] };
    const places = await this.uploads.listIds(before, limit + 1);
    const views = await this.views(places.map(({ id }) => id));
    return pageFrom(
      places.filter(({ id }) => views.has(id)),
      limit,
      ({ receivedAt, id }) => [receivedAt, id],
      ({ id }) => views.get(id)!,
    );
  }

  /** @throws NotFoundException */
  async get(id: string): Promise<UploadDto> {
    const view = (await this.views([id])).get(id);
    if (!view) throw new NotFoundException(`no upload has the id ${id}`);
    return view;
  }

  private async views(ids: string[]): Promise<Map<string, UploadDto>> {
    const { receipts, progress } = await this.uploads.find(ids);
    const receiptOf = new Map(receipts.map((receipt) => [receipt.uploadId, receipt]));
    const progressOf = (id: string) => progress.filter(({ uploadId }) => uploadId === id);
    const known = new Set([...receiptOf.keys(), ...progress.map(({ uploadId }) => uploadId)]);
    return new Map([...known].map((id) => [id, uploadView(receiptOf.get(id), progressOf(id))]));
  }
}
