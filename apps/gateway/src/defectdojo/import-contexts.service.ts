import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { entityKey } from '#libs/domain';
import { ERASED, EventSealer, hasSealedText } from '#libs/sealing';
import {
  CONTEXTS_MAX,
  type ContextFilter,
  type ContextKind,
  type ImportContext,
  ImportContextsRepository,
} from './import-contexts.repository.ts';
import type { ImportFields } from './import-form.ts';
import { idIn, nameIn } from './import-options.ts';

/** What an import belongs to. */
export interface ImportTarget {
  productType: string;
  product: string;
  engagement: string;
  test: string;
}

/** The ids of an import's target. */
export interface TargetIds {
  productType: number;
  product: number;
  engagement: number;
  test: number;
}

const PARENTS: Record<ContextKind, ContextKind | null> = {
  productType: null,
  product: 'productType',
  engagement: 'product',
  test: 'engagement',
};
const DEFAULT_PRODUCT_TYPE = 'Default';

/**
 * Names of products, engagements and tests, which clients of DefectDojo send as ids. A product is a machine: its name is
 * stored as that of the machine, which may be sealed.
 */
@Injectable()
export class ImportContexts {
  constructor(
    private readonly contexts: ImportContextsRepository,
    private readonly sealer: EventSealer,
  ) {}

  /**
   * The target that a form names, by the id of a test or an engagement, otherwise by names, which need not exist.
   * @throws BadRequestException (400) if it names none, or an id does not exist, or belongs to an erased machine
   */
  async targetOf(fields: ImportFields, scanType: string): Promise<ImportTarget> {
    const title = nameIn(fields, 'test_title') ?? scanType;
    const test = idIn(fields, 'test');
    if (test !== null) return this.targetIn(await this.existing('test', test), title);
    const engagement = idIn(fields, 'engagement');
    if (engagement !== null) return this.targetIn(await this.existing('engagement', engagement), title);
    const product = nameIn(fields, 'product_name');
    const engagementName = nameIn(fields, 'engagement_name');
    if (product === null || engagementName === null) {
      throw new BadRequestException(
        'product_name and engagement_name are missing, or the id of engagement or test',
      );
    }
    const productType = nameIn(fields, 'product_type_name') ?? (await this.typeOf(product));
    return { productType, product, engagement: engagementName, test: title };
  }

  /** The ids of a target, which is remembered by them. @throws ConflictException (409) if there is no room for its names */
  async idsOf({ productType, product, engagement, test }: ImportTarget): Promise<TargetIds> {
    const typeId = (await this.added('productType', 0, productType)).id;
    const productId = (await this.added('product', typeId, product)).id;
    const engagementId = (await this.added('engagement', productId, engagement)).id;
    const testId = (await this.added('test', engagementId, test)).id;
    return { productType: typeId, product: productId, engagement: engagementId, test: testId };
  }

  async list(kind: ContextKind, filter: ContextFilter): Promise<ImportContext[]> {
    const { name } = filter;
    if (name === null || kind !== 'product') return this.contexts.list(kind, filter);
    // A name that is only looked up gets no key.
    const isKnown = (await this.sealer.knownKeys([entityKey('machine', name)])).length > 0;
    return isKnown ? this.contexts.list(kind, { ...filter, name: await this.storedName(kind, name) }) : [];
  }

  /** @throws BadRequestException (400) if the parent does not exist */
  async add(kind: ContextKind, parentId: number, name: string): Promise<ImportContext> {
    const parentKind = PARENTS[kind];
    if (parentKind !== null) await this.existing(parentKind, parentId);
    return this.added(kind, parentId, name);
  }

  /** @throws NotFoundException */
  async get(kind: ContextKind, id: number): Promise<ImportContext> {
    const found = await this.contexts.find(kind, id);
    if (found) return found;
    throw new NotFoundException(`${kind} ${id} does not exist`);
  }

  /** That of the product of this name, which is unique in DefectDojo. */
  private async typeOf(productName: string): Promise<string> {
    const [product] = await this.list('product', { id: null, name: productName, parentId: null });
    return product ? (await this.existing('productType', product.parentId)).name : DEFAULT_PRODUCT_TYPE;
  }

  private async added(kind: ContextKind, parentId: number, name: string): Promise<ImportContext> {
    const context = await this.contexts.add(kind, parentId, await this.storedName(kind, name));
    if (context) return context;
    throw new ConflictException(
      `there are ${CONTEXTS_MAX} names of products, engagements and tests: no more are kept`,
    );
  }

  private async storedName(kind: ContextKind, name: string): Promise<string> {
    return kind === 'product' ? this.sealer.entityText(entityKey('machine', name), name) : name;
  }

  private async existing(kind: ContextKind, id: number): Promise<ImportContext> {
    const found = await this.contexts.find(kind, id);
    if (found) return found;
    throw new BadRequestException(`${kind} ${id} does not exist`);
  }

  private async targetIn(inner: ImportContext, title: string): Promise<ImportTarget> {
    const names: Partial<Record<ContextKind, string>> = { test: title };
    for (let at: ImportContext | undefined = inner; at; ) {
      names[at.kind] = await this.nameOf(at);
      const parent: ContextKind | null = PARENTS[at.kind];
      at = parent === null ? undefined : await this.existing(parent, at.parentId);
    }
    return names as ImportTarget;
  }

  /** @throws BadRequestException (400) if the machine was erased; KeysUnavailableError, SubjectKeyError */
  private async nameOf({ id, kind, name }: ImportContext): Promise<string> {
    if (!hasSealedText(name)) return name;
    const opened = await this.sealer.open(name);
    if (opened !== ERASED) return opened;
    throw new BadRequestException(
      `the name of ${kind} ${id} was erased: send product_name and engagement_name`,
    );
  }
}
