import { type JsonObject, listOf, objectOf, textOf } from '../reading/json-fields.ts';

/** A product of a CSAF document. */
export interface CsafProduct {
  /** With its version. */
  name: string;
  /** Without its version, so that it is the same in the next document. */
  label: string;
  version: string | null;
  purl: string | null;
}

/** Of the branches around a product. */
interface Around {
  name: string | null;
  version: string | null;
}

/** The products of a `product_tree` by their ids: of its branches, its list, and its relationships. */
export function productsOf(tree: JsonObject): Map<string, CsafProduct> {
  const products = new Map<string, CsafProduct>();
  for (const entry of listOf(tree.full_product_names)) add(products, entry, { name: null, version: null });
  addBranches(products, tree.branches, { name: null, version: null });
  for (const each of listOf(tree.relationships).map(objectOf)) {
    const entry = objectOf(each.full_product_name);
    const id = textOf(entry.product_id);
    if (id === null) continue;
    const component = products.get(textOf(each.product_reference) ?? '');
    const own = productOf(entry, { name: null, version: null }, id);
    products.set(id, component ? { ...component, name: own.name } : own);
  }
  return products;
}

function addBranches(products: Map<string, CsafProduct>, branches: unknown, around: Around): void {
  for (const branch of listOf(branches).map(objectOf)) {
    const name = textOf(branch.name);
    const category = textOf(branch.category);
    const here = {
      name: category === 'product_name' ? name : around.name,
      version: category === 'product_version' ? name : around.version,
    };
    add(products, branch.product, here);
    addBranches(products, branch.branches, here);
  }
}

function add(products: Map<string, CsafProduct>, entry: unknown, around: Around): void {
  const id = textOf(objectOf(entry).product_id);
  if (id !== null) products.set(id, productOf(objectOf(entry), around, id));
}

function productOf(entry: JsonObject, around: Around, id: string): CsafProduct {
  const name = textOf(entry.name) ?? id;
  const purl = textOf(objectOf(entry.product_identification_helper).purl);
  return {
    name,
    label: (purl && withoutVersion(purl)) ?? around.name ?? withoutSuffix(name, around.version),
    version: around.version,
    purl,
  };
}

/** `pkg:npm/%40a/b@1.0?os=linux` is `pkg:npm/%40a/b`. */
function withoutVersion(purl: string): string {
  const bare = purl.split(/[?#]/, 1)[0]!;
  const at = bare.lastIndexOf('@');
  return at > bare.lastIndexOf('/') ? bare.slice(0, at) : bare;
}

/** `Generic App 1.0` is `Generic App`. */
const withoutSuffix = (name: string, version: string | null): string =>
  version !== null && name.length > version.length + 1 && name.endsWith(version)
    ? name.slice(0, -version.length).replace(/[\s:@-]$/, '')
    : name;
