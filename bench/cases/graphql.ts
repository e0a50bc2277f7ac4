/** The cases as GraphQL requests for PostGraphile, with the names of properties as aliases. */
import type { CaseName } from '../options.js';
import type { HttpRequest } from './case.js';

/** The GraphQL form of a case. */
interface Translation {
  readonly document: string;
  /** The properties that PostGraphile returns as strings and Rowgate as numbers. */
  readonly decimals: ReadonlySet<string>;
}

const PRODUCT = `query ($id: Int!) {
  row: productByProductid(productid: $id) {
    id: productid name: productname supplierId: supplierid categoryId: categoryid
    quantity: quantityperunit price: unitprice inStock: unitsinstock onOrder: unitsonorder
    reorderLevel: reorderlevel discontinued
  }
}`;

const ORDERS = `query ($customerId: String!) {
  rows: allOrdersList(condition: { customerid: $customerId }) {
    id: orderid customerId: customerid employeeId: employeeid orderDate: orderdate
    requiredDate: requireddate shippedDate: shippeddate shipViaId: shipvia freight name: shipname
    address: shipaddress city: shipcity region: shipregion postalCode: shippostalcode
    country: shipcountry
    details: orderDetailsByOrderidList {
      orderId: orderid productId: productid unitPrice: unitprice quantity discount
    }
  }
}`;

const translations = new Map<CaseName, Translation>([
  [
    'point',
    { document: PRODUCT, decimals: new Set(['price', 'inStock', 'onOrder', 'reorderLevel']) },
  ],
  [
    'include',
    { document: ORDERS, decimals: new Set(['freight', 'unitPrice', 'quantity', 'discount']) },
  ],
]);

const MOMENTS: ReadonlySet<string> = new Set(['orderDate', 'requiredDate', 'shippedDate']);

/** The GraphQL request: the data of the expression become the variables of the document. */
export function toGraphql(name: CaseName, request: HttpRequest): HttpRequest {
  const { data }: { data: string } = JSON.parse(request.body);
  const query = translationOf(name).document;
  const body = JSON.stringify({ query, variables: JSON.parse(data) });
  return { method: 'POST', path: '/graphql', body };
}

/**
 * The rows of an answer, with values as Rowgate writes them. An answer with errors is returned
 * unchanged.
 */
export function fromGraphql(name: CaseName, answer: unknown): unknown {
  const { decimals } = translationOf(name);
  const { data }: { data?: { row?: unknown; rows?: unknown } } = Object(answer);
  if (data === undefined) return answer;
  const rows = data.rows ?? [data.row];
  return JSON.parse(JSON.stringify(rows), (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (MOMENTS.has(name)) return new Date(value).toISOString();
    return decimals.has(name) ? Number(value) : value;
  });
}

function translationOf(name: CaseName): Translation {
  const translation = translations.get(name);
  if (translation === undefined) throw new Error(`${name} has no GraphQL form.`);
  return translation;
}
