/**
 * Attempts to see hidden data through the view `narrow`: each must be answered as if that data did not
 * exist.
 */

export interface Attempt {
  readonly query: string;
  readonly data?: unknown;
}

const reading: readonly string[] = [
  // Rows.
  'Customers',
  'Customers.count()',
  'Customers.filter(p=>p.country=="Germany")',
  'Customers.filter(p=>p.country!="Spain").map(p=>p.country)',
  'Customers.filter(p=>p.id>=" ").sort(p=>desc(p.name)).first(p=>p.name)',
  'Customers.last(p=>p.id)',
  'Customers.map(p=>({n:count(1),c:count(distinct(p.country)),a:min(p.name),z:max(p.name)}))',
  'Customers.map(p=>[p.country,count(1)]).sort(p=>p.country)',
  'Customers.distinct(p=>p.country).sort(p=>p.country)',
  'Customers.page(2,5)',
  'Customers.sort(p=>p.city).page(1,4)',
  'Customers.filter(p=>p.orders.count()>3).map(p=>[p.id,p.name]).sort(p=>p.id)',
  'Customers.map(p=>({id:p.id,n:p.orders.count(),f:p.orders.sum(o=>o.freight)})).sort(p=>p.id)',
  'Customers.filter(p=>exists(p.orders,o=>o.freight>300)).map(p=>p.id).sort(p=>p.id)',
  'Customers.filter(p=>!exists(p.orders)).map(p=>p.id).sort(p=>p.id)',
  'Customers.having(p=>count(1)>1).map(p=>[p.city,count(1)]).sort(p=>p.city)',
  // The filter of the view follows relations in every statement.
  'Orders.count()',
  'Orders.map(p=>({n:count(1),f:sum(p.freight),a:avg(p.freight),l:max(p.orderDate)}))',
  'Orders.filter(p=>p.customer.country=="Germany").count()',
  'Orders.filter(p=>p.customer.name==null).count()',
  'Orders.map(p=>[p.customer.country,count(1)]).sort(p=>p.country)',
  'Orders.sort(p=>[p.customer.name,p.id]).page(1,3).map(p=>[p.id,p.customer.name])',
  'Orders.filter(p=>p.id<60).include(p=>[p.customer,p.details])',
  'Orders.filter(p=>p.id<60).include(p=>p.details.include(d=>d.product))',
  'Orders.first().include(p=>p.customer.include(c=>c.orders.page(1,2)))',
  'Orders.details.count()',
  'Orders.details.map(p=>[p.productId,sum(p.quantity)]).sort(p=>p.productId).page(1,9)',
  'Orders.details.filter(p=>p.product.name==null).count()',
  'Orders.details.filter(p=>p.product.discontinued==true).count()',
  'Orders.details.map(p=>[p.orderId,p.productId,p.product.name,p.product.inStock]).sort(p=>[p.orderId,p.productId]).page(1,40)',
  'Orders.details.map(p=>[p.order.customer.country,count(1)]).sort(p=>p.order_customer_country)',
  'Orders.details.filter(p=>p.orderId<80).include(p=>[p.product,p.order]).sort(p=>[p.orderId,p.productId])',
  'Products.map(p=>({id:p.id,n:p.orderDetails.count(),q:p.orderDetails.max(d=>d.quantity)})).sort(p=>p.id)',
  'Products.include(p=>p.orderDetails.filter(d=>d.quantity>90)).sort(p=>p.id)',
  'Products.include(p=>p.orderDetails.sort(d=>[desc(d.quantity),d.orderId]).page(1,2).include(d=>d.order)).sort(p=>p.id)',
  'Products.filter(p=>p.discontinued).count()',
  'Products.filter(p=>p.category.name==null).map(p=>[p.id,p.categoryId]).sort(p=>p.id)',
  'Products.map(p=>[p.category.name,count(1)]).sort(p=>p.name)',
  'Products.include(p=>p.category).sort(p=>p.id)',
  'Categories.include(p=>p.products)',
  'Categories.map(p=>({name:p.name,n:p.products.count()})).sort(p=>p.name)',
  'Suppliers.include(p=>p.products.map(q=>[q.id,q.name])).sort(p=>p.id)',
  'Suppliers.map(p=>({id:p.id,n:p.products.count()})).sort(p=>p.id)',
  // Properties with another expression in the view.
  'Customers.filter(p=>p.phone!="none")',
  'Customers.filter(p=>p.phone.startsWith("+")).count()',
  'Customers.map(p=>[p.phone,count(1)])',
  'Customers.map(p=>({a:min(p.phone),z:max(p.phone),d:count(distinct(p.phone))}))',
  'Customers.sort(p=>[p.phone,p.id]).map(p=>p.id)',
  'Customers.map(p=>({l:p.phone.length(),u:upper(p.phone)})).distinct(p=>p)',
  'Customers.map(p=>({id:p.id,x:p.phone+p.name})).sort(p=>p.x)',
  'Orders.filter(p=>p.customer.phone!="none").count()',
  'Orders.map(p=>[p.customer.phone,count(1)])',
  'Orders.filter(p=>p.id<40).include(p=>p.customer.filter(c=>c.phone=="none"))',
  'Orders.filter(p=>p.id<40).include(p=>p.customer.map(c=>[c.id,c.phone]))',
  'Products.filter(p=>p.inStock>50).count()',
  'Products.sort(p=>[desc(p.inStock),p.id]).map(p=>[p.id,p.inStock])',
  'Products.map(p=>({s:sum(p.inStock),m:max(p.inStock),a:avg(p.inStock)}))',
  'Products.map(p=>[p.inStock,count(1)]).having(p=>p.inStock>=50).sort(p=>p.inStock)',
  'Suppliers.map(p=>[p.name,count(1)]).sort(p=>p.name)',
  'Suppliers.sort(p=>[p.name,p.id]).map(p=>[p.id,p.name])',
  'Suppliers.map(p=>({id:p.id,s:p.products.sum(q=>q.inStock)})).sort(p=>p.id)',
  'Suppliers.filter(p=>exists(p.products,q=>q.inStock>50)).count()',
  'Products.filter(p=>p.supplier.name.length()>3).count()',
];

/** Conditions that fail on rows that the view hides, and on no row that it shows. */
const failing: readonly string[] = [
  'Categories.filter(p=>exp(p.name.startsWith("B")?1000:1)>0).count()',
  'Categories.filter(p=>p.name!="x" && exp(p.name.startsWith("B")?1000:1)>0).sort(p=>p.name).map(p=>p.name)',
  'Categories.filter(p=>p.name.like(p.name.startsWith("B")?"B\\\\":"%")).count()',
  'Categories.map(p=>[p.name,count(1)]).having(p=>exp(p.name.startsWith("B")?1000:1)>0).sort(p=>p.name)',
  'Products.filter(p=>p.category.name!="x" && exp(p.category.name.startsWith("B")?1000:1)>0).count()',
  'Suppliers.map(p=>({id:p.id,n:p.products.filter(q=>exp(q.discontinued?1000:1)>0).count()})).sort(p=>p.id)',
  'Products.include(p=>p.category.filter(c=>exp(c.name.startsWith("B")?1000:1)>0)).sort(p=>p.id)',
];

/** Expressions that have no finite result, and so are null, on rows that the view hides. */
const undefinedOnHidden: readonly string[] = [
  '1/(p.name.startsWith("B")?0:1)',
  '7%(p.name.startsWith("B")?0:2)',
  '7//(p.name.startsWith("B")?0:2)',
  'sqrt(p.name.startsWith("B")?-1:4)',
  'ln(p.name.startsWith("B")?0:2)',
  'log(p.name.startsWith("B")?0:2,8)',
  'log(p.name.startsWith("B")?-2:2,8)',
  'power(p.name.startsWith("B")?-8:8,0.5)',
];

/** Queries that a database may evaluate on hidden rows, which must not make them fail. */
export const undefinedAttempts: readonly string[] = [
  ...undefinedOnHidden.flatMap((expression) => [
    `Categories.filter(p=>${expression}>0).count()`,
    `Categories.filter(p=>${expression}==null).count()`,
    `Categories.map(p=>({name:p.name,x:${expression}})).sort(p=>p.name)`,
    `Categories.map(p=>({n:count(1),x:sum(${expression})}))`,
    `Products.filter(p=>${expression.replaceAll('p.name', 'p.category.name')}==null).count()`,
    `Products.include(p=>p.category.filter(c=>${expression.replaceAll('p.name', 'c.name')}>0)).sort(p=>p.id)`,
  ]),
  'Products.filter(p=>1/p.inStock>0).count()',
  'Products.filter(p=>1/p.inStock==null).count()',
  'Products.map(p=>({id:p.id,x:1/p.inStock,y:sqrt(0-p.inStock),z:ln(p.inStock)})).sort(p=>p.id)',
  'Suppliers.map(p=>({id:p.id,n:p.products.filter(q=>1/(q.discontinued?0:1)>0).count()})).sort(p=>p.id)',
  'Suppliers.map(p=>({id:p.id,x:p.products.sum(q=>sqrt(q.discontinued?-1:4))})).sort(p=>p.id)',
  'Suppliers.filter(p=>exists(p.products,q=>ln(q.discontinued?0:2)>0)).count()',
];

/** Names that the view hides are unknown like any other name. */
const naming: readonly string[] = [
  'Employees',
  'Employee',
  'Emploees.filter(p=>p.id==1)',
  'Orders.map(p=>p.employee.lastName)',
  'Orders.map(p=>p.employe.lastName)',
  'Orders.include(p=>p.employee)',
  'Orders.filter(p=>exists(p.employee))',
  'Customers.map(p=>p.contact)',
  'Customers.map(p=>p.contac)',
  'Customers.filter(p=>p.contact==null)',
  'Customers.sort(p=>p.contact)',
  'Customers.map(p=>({contact:max(p.contact)}))',
  'Orders.map(p=>p.customer.contact)',
  'Orders.include(p=>p.customer.map(c=>c.contact))',
  'Orders.details.map(p=>p.discount)',
  'Orders.details.map(p=>p.discounts)',
  'Orders.map(p=>({d:p.details.sum(d=>d.discount)}))',
  'Products.filter(p=>p.price>10)',
  'Products.map(p=>p.prices)',
  'Orders.details.filter(p=>p.product.price>10)',
  'Products.sort(p=>p.price).first()',
  'Products.map(p=>({price:p.inStock})).filter(p=>p.price>1)',
  'Employees.insert()',
  'Customers.filter(p=>p.id=="A").update(p=>({contact:"x"}))',
  'Products.insert({name:name,price:price})',
  'Orders.update().include(p=>p.employee)',
];

/** Rows of the sample, some of which the view hides. */
export interface Known {
  readonly hiddenCustomer: string;
  readonly shownCustomer: string;
  readonly hiddenOrder: number;
  readonly shownOrder: number;
  readonly hiddenProduct: number;
}

/** An attempt whose data contains rows. */
export interface WritingAttempt {
  readonly query: string;
  readonly data: (known: Known) => unknown;
}

const order = { employeeId: 1, freight: 1.5, name: 'x' };

/** Writes that must not change hidden data, and whose answers must not depend on it. */
export const writingAttempts: readonly WritingAttempt[] = [
  ['Customers.filter(p=>p.country=="Germany").update(p=>({city:"X"}))', () => undefined],
  ['Customers.filter(p=>p.id==hiddenCustomer).update(p=>({city:"X"}))', (known: Known) => known],
  ['Customers.updateAll({region:region})', () => ({ region: 'R' })],
  ['Customers.update()', ({ hiddenCustomer: id }: Known) => ({ id, city: 'X' })],
  ['Customers.update()', ({ shownCustomer: id }: Known) => ({ id, city: 'Y' })],
  ['Customers.delete()', ({ hiddenCustomer: id }: Known) => ({ id })],
  ['Customers.filter(p=>p.phone!="none").delete()', () => undefined],
  ['Orders.filter(p=>p.id==hiddenOrder).delete().include(p=>p.details)', (known: Known) => known],
  ['Orders.delete()', ({ hiddenOrder: id }: Known) => ({ id })],
  ['Orders.filter(p=>p.customer.country=="Germany").update(p=>({freight:0}))', () => undefined],
  [
    'Orders.filter(p=>exists(p.details,d=>d.quantity>100)).update(p=>({freight:2}))',
    () => undefined,
  ],
  ['Orders.update()', ({ hiddenOrder: id }: Known) => ({ id, freight: 3 })],
  [
    'Orders.update().include(p=>p.details)',
    ({ hiddenOrder: id }: Known) => ({ id, freight: 3, details: [{ productId: 1, quantity: 1 }] }),
  ],
  ['Orders.insert()', ({ hiddenCustomer }: Known) => ({ ...order, customerId: hiddenCustomer })],
  ['Orders.insert()', () => ({ ...order, customerId: 'NOONE' })],
  ['Orders.insert()', ({ shownCustomer }: Known) => ({ ...order, customerId: shownCustomer })],
  [
    'Orders.bulkInsert()',
    ({ shownCustomer, hiddenCustomer }: Known) =>
      [shownCustomer, hiddenCustomer].map((customerId) => ({ ...order, customerId })),
  ],
  [
    'Orders.update()',
    ({ shownOrder: id, hiddenCustomer: customerId }: Known) => ({ id, customerId }),
  ],
  [
    'Orders.filter(p=>p.id==shownOrder).update({customerId:hiddenCustomer})',
    (known: Known) => known,
  ],
  [
    'Orders.upsert()',
    ({ shownOrder: id, shownCustomer: customerId }: Known) => ({ ...order, id, customerId }),
  ],
  [
    'Orders.details.insert()',
    ({ hiddenOrder: orderId }: Known) => ({ orderId, productId: 3, quantity: 1 }),
  ],
  ['Orders.details.filter(p=>p.orderId==hiddenOrder).delete()', (known: Known) => known],
  ['Orders.details.filter(p=>p.quantity>110).delete()', () => undefined],
  ['Orders.details.updateAll(p=>({quantity:p.quantity+1}))', () => undefined],
  ['Products.filter(p=>p.inStock>50).update(p=>({onOrder:1}))', () => undefined],
  ['Products.updateAll(p=>({onOrder:p.inStock}))', () => undefined],
  ['Products.update()', ({ hiddenProduct: id }: Known) => ({ id, onOrder: 7 })],
  ['Products.insert()', () => ({ name: 'New', supplierId: 1, price: 5, discontinued: false })],
  ['Products.filter(p=>p.discontinued).delete()', () => undefined],
  ['Suppliers.filter(p=>p.name.length()>3).update(p=>({city:"X"}))', () => undefined],
  ['Suppliers.update()', () => ({ id: 1, city: 'S' })],
  ['Shippers.filter(p=>exists(p.orders)).delete()', () => undefined],
].map(([query, data]) => ({ query, data }) as WritingAttempt);

/** Every attempt that reads, or that uses a hidden name. */
export const readingAttempts: readonly Attempt[] = [
  ...reading,
  ...failing,
  ...undefinedAttempts,
  ...naming,
].map((query) => ({
  query,
}));
